// The statement that writes the readings of several requests: its values, and what each request gets from its result.
import type { Statement, StatementValue } from '../../platform/database/named-query.js';
import { quote } from '../../common/validation/fault.js';
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
  /** Earlier readings that an uplink tells, answered by themselves; its own count before them. */
  readonly history?: ReadingBatch;
  /** The traceparent of its span, if it has one that is recorded. */
  readonly causedBy?: string | undefined;
}

export type UplinkRecord = Readonly<Record<string, string | number | boolean | null>>;

/** What became of the good readings of a request. */
export const NOTHING_WRITTEN = { created: 0, updated: 0, unchanged: 0, superseded: 0 };
export type Written = Readonly<typeof NOTHING_WRITTEN> & {
  /** Of an uplink that is now in quarantine. */
  readonly uplinkId?: string;
  readonly history?: Readonly<typeof NOTHING_WRITTEN>;
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
  const values = toStatementValues(requests.flatMap(splitRequest), lockTimeoutMs);
  const uplinks = requests.flatMap(({ uplink, history }, i) => {
    if (uplink === undefined) return [];
    const own = ownNumber(i);
    return [{ ...uplink, request: own, history: history === undefined ? null : own - 1 }];
  });
  const statement = uplinks.length === 0 ? WRITE_READINGS : WRITE_UPLINKS;
  if (uplinks.length > 0) values.push(JSON.stringify(uplinks));
  if (requests.every(({ causedBy }) => causedBy === undefined)) return [statement, values];
  const causes = requests.flatMap(({ causedBy = 'NULL' }) => [causedBy, causedBy]); // of both its numbers
  values.push(`{${causes.join(',')}}`);
  return [tracedForm(statement, values.length), values];
}

/** With a setting for this transaction. Arguments are evaluated before the function runs. */
function tracedForm({ name, text }: Statement, place: number): Statement {
  const setting = `set_config('tank_monitoring.causes', $${place}, true)`;
  return { name: `${name}_traced`, text: text.replace('$9', () => `(select $9::integer from ${setting})`) };
}

/** In the statement a request has two numbers, counted from 1: that of its history, and its own, which comes after it. */
const ownNumber = (i: number): number => 2 * i + 2;

type Part = Pick<WriteRequest, 'boundTo' | 'isAtomic'> & {
  readonly batch: ReadingBatch;
  readonly number: number;
};

function splitRequest({ batch, history, ...request }: WriteRequest, i: number): Part[] {
  const own = { ...request, batch, number: ownNumber(i) };
  return history === undefined ? [own] : [{ ...request, batch: history, number: own.number - 1 }, own];
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
function toStatementValues(parts: readonly Part[], lockTimeoutMs: number): StatementValue[] {
  const targetRequests: number[] = [];
  const stores: string[] = [];
  const customers: string[] = [];
  const tankIds: string[] = [];
  const deviceIds: string[] = [];
  const targets: number[] = [];
  const instants: string[] = [];
  const fills: number[] = [];
  for (const { batch, boundTo, isAtomic, number } of parts) {
    const firstTarget = targetRequests.length + 1; // arrays start at 1 there
    for (const { tankId, deviceId } of batch.targets) {
      targetRequests.push(number);
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
  }
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
  const read = ({ batch, isAtomic, number }: Part) => {
    const refusedBefore = batch.refused;
    refuseTargets(batch, row.target_codes.slice(firstTarget, firstTarget + batch.targets.length));
    firstTarget += batch.targets.length;
    const place = places.get(number) ?? -1;
    const created = row.created?.[place] ?? 0;
    const updated = row.updated?.[place] ?? 0;
    const unchanged = row.unchanged?.[place] ?? 0;
    const isStored = !isAtomic || batch.refused === 0;
    const good = isStored ? batch.fills.length + refusedBefore - batch.refused : 0;
    return { created, updated, unchanged, superseded: good - created - updated - unchanged };
  };
  return requests.map((request, i) => {
    const written = splitRequest(request, i).map(read);
    const history = written.length > 1 ? written[0] : undefined;
    const uplinkId = row.uplink_ids?.[ownNumber(i) - 1];
    return {
      ...(written.at(-1) ?? NOTHING_WRITTEN),
      ...(history && { history }),
      ...(typeof uplinkId === 'string' && { uplinkId }),
    };
  });
}

function refuseTargets(batch: ReadingBatch, codes: readonly (TargetCode | '')[]): void {
  if (codes.every((code) => code === '')) return;
  const refusals = codes.map((code, i) =>
    code === '' ? undefined : explainRefusal(code, at(batch.targets, i)),
  );
  batch.targetOf.forEach((target, reading) => {
    const refused = refusals[target];
    if (refused !== undefined) batch.refuseTarget(at(batch.indexes, reading), refused);
  });
}

function explainRefusal(code: TargetCode, target: Target): Refusal {
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
