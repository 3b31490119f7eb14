// The demo fleet as import lines: customers, their tanks, and ten months of readings that end at the moment they are told.
import {
  demoAccounts,
  demoTanks,
  FIRST_READING,
  LAST_READING,
  type DemoCustomer,
  type DemoTank,
  type OwnedTank,
} from './demo-fleet.js';
import { DAY, lifeOf, pastReadings, type DemoReading, type TankLife } from './demo-readings.js';

export type DemoLine = DemoCustomer | DemoTank | DemoReading;

const NEVER_READ = 'Chloe Nguyen';
/** Devices that report more often, by the tank's custom id: for lists with many pages, and for a demo that moves. */
const READ_EVERY_MINUTES: ReadonlyMap<string, number> = new Map([
  ['GMC-01', 15],
  ['BGB-01', 5],
  ['NEG-01', 1],
]);
/** They are new: of ten months they would fill the database. By minutes, how many days they have been there. */
const DAYS_OF_FREQUENT_ONES: ReadonlyMap<number, number> = new Map([
  [5, 14],
  [1, 3],
]);
/** A small tank beside a filling station: the one that is refilled now and then, while you watch. */
const DAY_TANK = 'NEG-01';

/** In the order in which an import needs them, as of `end`. */
export function* demoHistory(end: number): Generator<DemoLine> {
  const shift = end - LAST_READING;
  const accounts = demoAccounts();
  const owned = demoTanks(accounts);
  for (const { customer } of accounts) yield movedCustomer(customer, shift);
  for (const { tank } of owned) yield movedTank(tank, shift);
  for (const one of owned) {
    const life = lifeIn(one);
    if (life !== undefined) yield* pastOf(life, movedTank(one.tank, shift), end);
  }
}

/** The tanks whose devices go on reporting. */
export function reportingTanks(): TankLife[] {
  return demoTanks(demoAccounts()).flatMap((one) => {
    const life = one.tank.deleted === true ? undefined : lifeIn(one);
    return life === undefined || life.story.isSilent ? [] : [life];
  });
}

function pastOf(life: TankLife, tank: DemoTank, end: number): Generator<DemoReading> {
  const days = DAYS_OF_FREQUENT_ONES.get(life.intervalMs / 60_000) ?? (LAST_READING - FIRST_READING) / DAY;
  const first = Math.max(end - days * DAY, Date.parse(tank.created_at));
  return pastReadings(life, first, tank.deleted === true ? Date.parse(tank.updated_at) : end);
}

function lifeIn({ account, tank }: OwnedTank): TankLife | undefined {
  if (account.customer.name === NEVER_READ) return undefined;
  const everyMinutes = READ_EVERY_MINUTES.get(tank.custom_id ?? '');
  const [{ latitude }] = account.place.spots;
  return lifeOf({
    tankId: tank.id,
    kind: tank.custom_id === DAY_TANK ? 'day tank' : account.kind,
    latitude,
    threshold: tank.min_fill_alert_percentage,
    ...(everyMinutes !== undefined && { everyMinutes }),
  });
}

function movedCustomer(customer: DemoCustomer, shift: number): DemoCustomer {
  const { created_at, updated_at, last_seen_at, verified_at } = customer;
  return {
    ...customer,
    created_at: moved(created_at, shift),
    updated_at: moved(updated_at, shift),
    last_seen_at: last_seen_at === null ? null : moved(last_seen_at, shift),
    verified_at: verified_at === null ? null : moved(verified_at, shift),
  };
}

function movedTank(tank: DemoTank, shift: number): DemoTank {
  return {
    ...tank,
    created_at: moved(tank.created_at, shift),
    updated_at: moved(tank.updated_at, shift),
  };
}

function moved(instant: string, shift: number): string {
  return new Date(Date.parse(instant) + shift).toISOString();
}
