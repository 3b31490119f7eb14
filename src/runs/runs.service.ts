// Runs: read by one statement a request; each change is a transaction that locks the run. That a tank waits for one truck a day is seen to
// by an index: whoever comes second is refused by it, begins anew and finds the other's stop.
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { pageFromRows, type CountedRow, type Page } from '../common/pagination/page.js';
import { noSuch, unavailable, type Problem } from '../common/problems/problem.js';
import { quote } from '../common/validation/fault.js';
import { fieldFault, invalidFields, type FieldFault } from '../common/validation/field-mistakes.js';
import { conflict } from '../common/writes/problems.js';
import {
  deletion,
  describeChange,
  nextUpdatedAt,
  RecordedWrites,
  requireConditions,
} from '../common/writes/recorded-writes.js';
import type { Writer, WriteResult } from '../common/writes/recorded-writes.js';
import { isStorable, Reads } from '../platform/database/reads.js';
import type { RunInput, RunPatch, RunsQuery, StopPatch } from './dto/run.input.js';
import { toPlace, RunSummaryResponse, taggedPart, toRunResponse, toRunSummary } from './dto/run.response.js';
import type {
  DeletedRunResponse,
  RunResponse,
  RunRow,
  RunSummaryRow,
  StopResponse,
} from './dto/run.response.js';
import { comparePlans, entered, patched, toPlan, reordered, replaced, type Plan } from './plan.js';
import { shortestOrder, type Place } from './route.js';
import {
  FIND_ONE,
  FIND_PLANNED,
  FIND_TANKS,
  INSERT,
  LIST,
  LOCK,
  LOCK_DELIVERIES,
  NOTE_ENTRY,
  REMOVE_STOPS,
  update,
  WRITE_STOPS,
} from './run-statements.js';

/** What an order was looked for is not as it was. */
const CHANGED = { isChanged: true } as const;
const MAX_ORDERS = 5;

/** What a delivery is measured by; its note is not. */
const DELIVERY = ['status', 'delivered', 'delivered_at'] as const;

@Injectable()
export class RunsService {
  constructor(
    private readonly reads: Reads,
    private readonly writes: RecordedWrites,
  ) {}

  async list(query: RunsQuery): Promise<Page<RunSummaryResponse>> {
    const { date_gte = null, date_lte = null, status = null, tank_id = null } = query;
    const values = [...query.place, date_gte, date_lte, status, tank_id];
    const rows = await this.reads.page<RunSummaryRow & CountedRow>(LIST, values, query.isLarge);
    return pageFromRows(RunSummaryResponse, rows, toRunSummary, query);
  }

  async get(id: string): Promise<RunResponse> {
    const row = await this.reads.firstRow<RunRow>(FIND_ONE, [id]);
    if (row === undefined) throw noSuch('run');
    return toRunResponse(row);
  }

  create(body: RunInput, writer: Writer): Promise<WriteResult<RunResponse>> {
    return this.writes.run(writer, (manager) =>
      save(manager, undefined, undefined, replaced(undefined, body)),
    );
  }

  replace(id: string, body: RunInput, writer: Writer): Promise<WriteResult<RunResponse>> {
    return this.writes.run(writer, async (manager) => {
      const stored = await lock(manager, id);
      requireConditions(writer, 'run', stored && taggedPart(stored));
      return save(manager, id, stored, replaced(stored && toPlan(stored), body));
    });
  }

  patch(id: string, body: RunPatch, writer: Writer): Promise<WriteResult<RunResponse>> {
    return this.writes.run(writer, async (manager) => {
      const stored = await lockThere(manager, id, writer);
      return save(manager, id, stored, patched(toPlan(stored), body));
    });
  }

  remove(id: string, writer: Writer): Promise<WriteResult<DeletedRunResponse>> {
    return this.writes.run(writer, async (manager) => {
      const stored = await lockThere(manager, id, writer);
      requireKept(toPlan(stored), []);
      await manager.query('delete from runs where id = $1', [id]);
      return deletion('run', id, null, stored);
    });
  }

  /** What the driver enters: the answer is the stop, with the run's ETag. */
  enter(id: string, tankId: string, body: StopPatch, writer: Writer): Promise<WriteResult<StopResponse>> {
    return this.writes.run(writer, async (manager) => {
      const stored = await lockThere(manager, id, writer, tankId);
      const plan = entered(toPlan(stored), tankId, body);
      const { object: run, change } = await save(manager, id, stored, plan, tankId);
      const written = { object: findStop(run, tankId), tagged: taggedPart(run) };
      return change === undefined ? written : { ...written, change: { ...change, name: stored.name } };
    });
  }

  /** The way is looked for between two transactions, so that nobody waits for it; whoever changes the stops meanwhile begins it anew, a few times. */
  async order(id: string, writer: Writer, hasLeft: () => boolean): Promise<WriteResult<RunResponse>> {
    for (let attempt = 1; attempt <= MAX_ORDERS; attempt += 1) {
      const { object: found } = await this.writes.run(writer, async (manager) => ({
        object: await lockThere(manager, id, writer),
      }));
      const tankIds = await findOrder(found, hasLeft);
      if (hasLeft()) return { object: found };
      const ordered = await this.writes.run<RunResponse | typeof CHANGED>(writer, async (manager) => {
        const stored = await lockThere(manager, id, writer);
        if (describeWay(stored) !== describeWay(found)) return { object: CHANGED };
        return save(manager, id, stored, reordered(toPlan(stored), tankIds));
      });
      const { object } = ordered;
      if ('stops' in object) return { ...ordered, object };
    }
    throw unavailable(
      'overloaded',
      'This run was changed each time its order was looked for. Try again shortly.',
    );
  }
}

/** As the writer's conditions want it; with a stop at this tank, if one is named. */
async function lockThere(
  manager: EntityManager,
  id: string,
  writer: Writer,
  tankId?: string,
): Promise<RunResponse> {
  const stored = isStorable(id) ? await lock(manager, id) : undefined;
  if (stored === undefined) throw noSuch('run');
  if (tankId !== undefined) findStop(stored, tankId);
  requireConditions(writer, 'run', taggedPart(stored));
  return stored;
}

function findStop({ stops }: RunResponse, tankId: string): StopResponse {
  const stop = stops.find(({ tank_id: id }) => id === tankId);
  if (stop === undefined) throw noSuch('stop');
  return stop;
}

async function lock(manager: EntityManager, id: string): Promise<RunResponse | undefined> {
  await manager.query(LOCK, [id]);
  return find(manager, id);
}

async function find(manager: EntityManager, id: string): Promise<RunResponse | undefined> {
  const [row] = await manager.query<RunRow[]>(FIND_ONE.text, [id]);
  return row === undefined ? undefined : toRunResponse(row);
}

/** `enteredAt`: the tank at whose stop the driver has entered something. */
async function save(
  manager: EntityManager,
  id: string | undefined,
  stored: RunResponse | undefined,
  next: Plan,
  enteredAt?: string,
): Promise<WriteResult<RunResponse>> {
  const before = stored && toPlan(stored);
  await requireStoredFacts(manager, before, next);
  if (before !== undefined) requireKept(before, next.stops);
  await requireFree(manager, id, next);
  const changes = before === undefined ? {} : comparePlans(before, next);
  if (stored !== undefined && Object.keys(changes).length === 0) return { object: stored };
  if (enteredAt !== undefined) await manager.query(LOCK_DELIVERIES, [id, enteredAt]);
  const runId = await write(manager, id, stored !== undefined, next, enteredAt);
  if (enteredAt !== undefined && DELIVERY.some((name) => `stops.${enteredAt}.${name}` in changes))
    await manager.query(NOTE_ENTRY, [runId, enteredAt]);
  const object = await find(manager, runId);
  if (object === undefined) throw new Error('The run that was written is not there.');
  const whose = { ownerId: null, changes };
  const change =
    stored === undefined
      ? describeChange('run', runId, 'create', Object.keys(next), whose)
      : describeChange('run', runId, 'update', Object.keys(changes), whose);
  return { object, change };
}

async function write(
  manager: EntityManager,
  id: string | undefined,
  isStored: boolean,
  { stops, start, ...run }: Plan,
  enteredAt: string | undefined,
): Promise<string> {
  const { date, name, capacity, capacity_unit: unit } = run;
  const values = [id ?? null, date, name, capacity, unit, start?.latitude ?? null, start?.longitude ?? null];
  const [row] = isStored
    ? await manager.query<{ id: string }[]>(update(nextUpdatedAt()), values).then(() => [{ id: id ?? '' }])
    : await manager.query<{ id: string }[]>(INSERT, values);
  const runId = row?.id ?? '';
  await manager.query(REMOVE_STOPS, [runId, stops.map((stop) => stop.tank_id)]);
  const rows = stops
    .map((stop, place) => ({ ...stop, place, date }))
    .filter((stop) => enteredAt === undefined || stop.tank_id === enteredAt);
  await manager.query(WRITE_STOPS, [runId, JSON.stringify(rows)]);
  return runId;
}

/** The unit stays, and tanks are there, unless they are stops already. */
async function requireStoredFacts(
  manager: EntityManager,
  before: Plan | undefined,
  next: Plan,
): Promise<void> {
  const known = new Set(before?.stops.map((stop) => stop.tank_id));
  const others = next.stops.map((stop) => stop.tank_id).filter((id) => !known.has(id));
  const found = others.length === 0 ? [] : await manager.query<{ id: string }[]>(FIND_TANKS, [others]);
  for (const { id } of found) known.add(id);
  const faults: FieldFault[] = next.stops.flatMap(({ tank_id: id }, i) =>
    known.has(id) ? [] : [{ pointer: `/stops/${i}/tank_id`, reason: 'unknown tank', detail: quote(id) }],
  );
  const { start } = next;
  for (const name of ['longitude', 'latitude'] as const)
    if (start !== null && start[name] === undefined)
      faults.unshift({ ...fieldFault(`start.${name}`, 'is missing'), pointer: `/start/${name}` });
  const { capacity_unit: unit = next.capacity_unit } = before ?? {};
  if (unit !== next.capacity_unit)
    faults.unshift({ ...fieldFault('capacity_unit', 'must stay as it is'), detail: quote(unit) });
  if (faults.length > 0) throw invalidFields(faults);
}

function requireKept(before: Plan, stops: Plan['stops']): void {
  const kept = new Set(stops.map((stop) => stop.tank_id));
  const isGone = before.stops.some((stop) => stop.status === 'delivered' && !kept.has(stop.tank_id));
  if (isGone) throw isDelivered();
}

/** No other truck goes there on that day. */
async function requireFree(
  manager: EntityManager,
  id: string | undefined,
  { date, stops }: Plan,
): Promise<void> {
  const open = stops.filter((stop) => stop.status === 'open').map((stop) => stop.tank_id);
  const values = [date, open, id ?? null];
  const planned = await manager.query<{ tank_id: string; run_id: string }[]>(FIND_PLANNED, values);
  const runs = new Map(planned.map((stop) => [stop.tank_id, stop.run_id]));
  const first = open.find((tankId) => runs.has(tankId));
  if (first !== undefined) throw alreadyPlanned(first, runs.get(first) ?? '');
}

/** What the order depends on. */
function describeWay({ start, stops }: RunResponse): string {
  const places = stops.map(({ tank_id: id, status, tank }) => [id, status, findLocation(tank)]);
  return JSON.stringify([start, places]);
}

function findLocation(tank: StopResponse['tank']): Place | null {
  return tank === null ? null : toPlace(tank.location.latitude, tank.location.longitude);
}

/** Those that are not open come first, as they were; then open ones, on the shortest way; last open ones without a place. */
async function findOrder({ start, stops }: RunResponse, hasLeft: () => boolean): Promise<string[]> {
  const placed = stops.map(({ tank_id: id, status, tank }) => ({ id, status, place: findLocation(tank) }));
  const done = placed.filter(({ status }) => status !== 'open');
  const lost = placed.filter(({ status, place }) => status === 'open' && place === null);
  const open = placed.flatMap(({ id, status, place }) =>
    status === 'open' && place !== null ? [{ id, place }] : [],
  );
  const behind = done.flatMap(({ place }) => place ?? []);
  // Without a start the first place stays first: the way goes back to it.
  const fixed = start === null && behind.length === 0 ? open.splice(0, 1) : [];
  const home = start ?? behind[0] ?? fixed[0]?.place;
  const places = open.map(({ place }) => place);
  const order = home === undefined ? [] : await shortestOrder(behind.at(-1) ?? home, places, home, hasLeft);
  const ordered = order.flatMap((i) => open[i] ?? []);
  return [...done, ...fixed, ...ordered, ...lost].map(({ id }) => id);
}

export function isDelivered(): Problem {
  return conflict('delivered', 'This run has a stop that was delivered: it stays, and so does the run.');
}

export function alreadyPlanned(tankId: string, runId: string): Problem {
  const detail = 'Another run of this date has an open stop at this tank. Take it from that run first.';
  return conflict('already_planned', detail, { tank_id: tankId, run_id: runId });
}
