// A run as it is stored, and as it will be: what a body, a driver's entry or another order makes of it, and what is recorded of that.
import { roundTo } from '../common/rounding.js';
import { fieldFault, invalidFields } from '../common/validation/field-mistakes.js';
import { quote } from '../common/validation/fault.js';
import { changesBetween, type Changes } from '../common/writes/activity.js';
import type { CapacityUnit } from '../tanks/tank.entity.js';
import { DAY_MS } from '../common/datetime/datetime.js';
import type { RunInput, RunPatch, StopInput, StopPatch } from './dto/run.input.js';
import { plannedStop, type PlannedStop, type RunResponse, type StartResponse } from './dto/run.response.js';

/** What people decide. */
export interface Plan extends Pick<RunResponse, 'date' | 'name' | 'capacity'> {
  readonly capacity_unit: CapacityUnit;
  /** A patch may give a part of one where there is none: it is refused with all else that needs the stored run. */
  readonly start: { readonly latitude: number | undefined; readonly longitude: number | undefined } | null;
  readonly stops: readonly PlannedStop[];
}

const DELIVERED_DAYS_AGO = 31;

export function toPlan({ date, name, capacity, capacity_unit, start, stops }: RunResponse): Plan {
  return { date, name, capacity, capacity_unit, start, stops: stops.map(plannedStop) };
}

/** What is left out has its default; the unit, and what was entered, stays. */
export function replaced(stored: Plan | undefined, body: RunInput): Plan {
  return {
    date: body.date,
    name: body.name ?? null,
    capacity: amount(body.capacity ?? null),
    capacity_unit: body.capacity_unit ?? stored?.capacity_unit ?? 'liters',
    start: startWith(null, body.start ?? null),
    stops: stopsWith(stored?.stops ?? [], body.stops),
  };
}

/** What is left out stays. */
export function patched(stored: Plan, body: RunPatch): Plan {
  return {
    date: body.date ?? stored.date,
    name: body.name === undefined ? stored.name : body.name,
    capacity: body.capacity === undefined ? stored.capacity : amount(body.capacity),
    capacity_unit: body.capacity_unit ?? stored.capacity_unit,
    start: body.start === undefined ? stored.start : startWith(stored.start, body.start),
    stops: body.stops === undefined ? stored.stops : stopsWith(stored.stops, body.stops),
  };
}

function amount(value: number | null): number | null {
  return value === null ? null : roundTo(value, 2);
}

function startWith(stored: Plan['start'], sent: Partial<StartResponse> | null): Plan['start'] {
  if (sent === null) return null;
  const { latitude = stored?.latitude, longitude = stored?.longitude } = sent;
  return { latitude, longitude };
}

function stopsWith(stored: readonly PlannedStop[], sent: readonly StopInput[]): PlannedStop[] {
  const known = new Map(stored.map((stop) => [stop.tank_id, stop]));
  return sent.map(({ tank_id, planned, note }) => ({
    ...(known.get(tank_id) ?? { status: 'open', delivered: null, delivered_at: null, note: null }),
    tank_id,
    planned: roundTo(planned, 2),
    ...(note === undefined ? {} : { note }),
  }));
}

/** In another order. */
export function reordered(stored: Plan, tankIds: readonly string[]): Plan {
  const place = new Map(tankIds.map((id, i) => [id, i]));
  const placeOf = ({ tank_id: id }: PlannedStop): number => place.get(id) ?? Infinity;
  return { ...stored, stops: stored.stops.toSorted((a, b) => placeOf(a) - placeOf(b)) };
}

/** What the driver has entered at one stop. */
export function entered(stored: Plan, tankId: string, body: StopPatch): Plan {
  return {
    ...stored,
    stops: stored.stops.map((stop) => (stop.tank_id === tankId ? withEntry(stop, body) : stop)),
  };
}

/** Repeating changes nothing: a delivery has the time at which it was entered first, unless another is sent. */
function withEntry(
  stop: PlannedStop,
  { status = stop.status, note = stop.note, ...body }: StopPatch,
): PlannedStop {
  if (status !== 'delivered') {
    const faults = (['delivered', 'delivered_at'] as const)
      .filter((name) => (body[name] ?? null) !== null)
      .map((name) => fieldFault(name, `is of a delivered stop only; this one is ${status}`));
    if (faults.length > 0) throw invalidFields(faults);
    return { ...stop, status, note, delivered: null, delivered_at: null };
  }
  const delivered = amount(body.delivered === undefined ? stop.delivered : body.delivered);
  const now = Date.now();
  const at = body.delivered_at?.toISOString() ?? stop.delivered_at ?? new Date(now).toISOString();
  const isLongAgo = at !== stop.delivered_at && Date.parse(at) < now - DELIVERED_DAYS_AGO * DAY_MS;
  if (delivered === null || isLongAgo)
    throw invalidFields([
      ...(delivered === null ? [fieldFault('delivered', 'is missing')] : []),
      ...(isLongAgo
        ? [fieldFault('delivered_at', `is more than ${DELIVERED_DAYS_AGO} days ago`, quote(at))]
        : []),
    ]);
  return { ...stop, status, note, delivered, delivered_at: at };
}

const idsOf = ({ stops }: Plan): string[] => stops.map(({ tank_id: id }) => id);

/** By field; those of a stop that stays under its tank's id. A changed list or order is that of the tanks' ids. */
export function comparePlans(before: Plan, after: Plan): Changes {
  const [was, is] = [idsOf(before), new Set(idsOf(after))];
  const stays = new Set(was.filter((id) => is.has(id)));
  const fieldsOf = ({ stops, ...run }: Plan): object => {
    const ofStops = stops.flatMap(({ tank_id: id, ...stop }) =>
      stays.has(id) ? Object.entries(stop).map(([name, value]) => [`stops.${id}.${name}`, value]) : [],
    );
    return { ...run, ...Object.fromEntries(ofStops) };
  };
  const changes = changesBetween(fieldsOf(before), fieldsOf(after));
  const list = { from: was, to: [...is] };
  return JSON.stringify(list.from) === JSON.stringify(list.to) ? changes : { ...changes, stops: list };
}
