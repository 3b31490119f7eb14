// The statement that writes the readings of several requests: its values, and what each request gets from its result.
import type { Statement, StatementValue } from '../../platform/database/named-query.js';
import { quote } from '../../common/problems/quote.js';
import { unknownTarget, type ReadingBatch, type Target } from './reading-batch.js';
import { refusal, type Refusal, type RefusalCode } from './reading.js';

export interface WriteRequest {
  readonly batch: ReadingBatch;
  /** Null for all customers' tanks. */
  readonly boundTo: string | null;
  /** Nothing is stored when one reading is refused. */
  readonly isAtomic: boolean;
  /** What else an uplink leaves, as write_uplinks() takes it. */
  readonly uplink?: UplinkRecord;
}

export type UplinkRecord = Readonly<Record<string, string | number | boolean | null>>;

/** What became of the good readings of a request. */
export const NOTHING_WRITTEN = { created: 0, updated: 0, unchanged: 0, superseded: 0 };
export type Written = Readonly<typeof NOTHING_WRITTEN> & {
  /** Of an uplink that is now in quarantine. */
  readonly uplinkId?: string;
};

const WRITE_READINGS: Statement = {
  name: 'write_readings',
  text: `
    select target_codes, requests, created, updated, unchanged
    from write_readings($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
};

/** The same, and what uplinks leave. */
const WRITE_UPLINKS: Statement = {
  name: 'write_uplinks',
  text: `
    select target_codes, requests, created, updated, unchanged, uplink_ids
    from write_uplinks($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
};

export function statementFor(
  requests: readonly WriteRequest[],
  lockTimeoutMs: number,
): [Statement, StatementValue[]] {
  const values = valuesOf(requests, lockTimeoutMs);
  const uplinks = requests.flatMap(({ uplink }, i) => (uplink ? [{ ...uplink, request: i + 1 }] : []));
  return uplinks.length === 0
    ? [WRITE_READINGS, values]
    : [WRITE_UPLINKS, [...values, JSON.stringify(uplinks)]];
}

export interface WriteRow {
  /** One element a target; empty when its readings are good. */
  target_codes: (TargetCode | '')[];
  /** Those of which something was stored, counted from 1, and what became of it. */
  requests: number[] | null;
  created: number[] | null;
  updated: number[] | null;
  unchanged: number[] | null;
  /** One element a request, or fewer. */
  uplink_ids?: (string | null)[] | null;
}

type TargetCode = Extract<RefusalCode, `${string}_tank` | `${string}_device`>;

/** An array travels as one value, PostgreSQL's literal of it, however many readings there are. */
function valuesOf(requests: readonly WriteRequest[], lockTimeoutMs: number): StatementValue[] {
  const targetRequests: number[] = [];
  const stores: string[] = [];
  const customers: string[] = [];
  const tankIds: string[] = [];
  const deviceIds: string[] = [];
  const targets: number[] = [];
  const instants: string[] = [];
  const fills: number[] = [];
  requests.forEach(({ batch, boundTo, isAtomic }, i) => {
    const firstTarget = targetRequests.length + 1; // arrays start at 1 there
    for (const { tankId, deviceId } of batch.targets) {
      targetRequests.push(i + 1);
      stores.push(!isAtomic ? 'good' : batch.refused === 0 ? 'all' : 'none');
      customers.push(quoted(boundTo));
      tankIds.push(quoted(tankId));
      deviceIds.push(quoted(deviceId));
    }
    for (let reading = 0; reading < batch.fills.length; reading += 1) {
      targets.push(firstTarget + at(batch.targetOf, reading));
      instants.push(new Date(at(batch.instants, reading)).toISOString());
      fills.push(at(batch.fills, reading));
    }
  });
  const arrays = [targetRequests, stores, customers, tankIds, deviceIds, targets, instants, fills];
  return [...arrays.map((elements) => `{${elements.join(',')}}`), lockTimeoutMs];
}

function quoted(text: string | null): string {
  return text === null ? 'NULL' : `"${text.replaceAll(/["\\]/g, '\\$&')}"`;
}

/** Refuses what the database refused, and returns what became of the rest, one element a request. */
export function readAnswer(requests: readonly WriteRequest[], row: WriteRow): Written[] {
  let firstTarget = 0;
  const places = new Map(row.requests?.map((number, place) => [number, place]));
  return requests.map(({ batch, isAtomic }, i) => {
    const refusedBefore = batch.refused;
    refuseTargets(batch, row.target_codes.slice(firstTarget, firstTarget + batch.targets.length));
    firstTarget += batch.targets.length;
    const place = places.get(i + 1) ?? -1;
    const created = row.created?.[place] ?? 0;
    const updated = row.updated?.[place] ?? 0;
    const unchanged = row.unchanged?.[place] ?? 0;
    const isStored = !isAtomic || batch.refused === 0;
    const good = isStored ? batch.fills.length + refusedBefore - batch.refused : 0;
    const uplinkId = row.uplink_ids?.[i];
    return {
      created,
      updated,
      unchanged,
      superseded: good - created - updated - unchanged,
      ...(typeof uplinkId === 'string' && { uplinkId }),
    };
  });
}

function refuseTargets(batch: ReadingBatch, codes: readonly (TargetCode | '')[]): void {
  if (codes.every((code) => code === '')) return;
  const refusals = codes.map((code, i) => (code === '' ? undefined : refusalOf(code, at(batch.targets, i))));
  batch.targetOf.forEach((target, reading) => {
    const refused = refusals[target];
    if (refused !== undefined) batch.refuseTarget(at(batch.indexes, reading), refused);
  });
}

function refusalOf(code: TargetCode, target: Target): Refusal {
  if (code === 'ambiguous_device') {
    return refusal(code, 'several tanks have this device, send the tank_id instead', () =>
      quote(target.deviceId),
    );
  }
  if (code === 'deleted_tank') return refusal(code, 'this tank is deleted', () => quote(target.tankId));
  return unknownTarget(target);
}

function at<T>(values: readonly T[], index: number): T {
  const value = values[index];
  if (value === undefined) throw new Error(`There is no element ${index} of ${values.length}.`);
  return value;
}
