// The past readings of each demo tank, and which tanks go on reporting.
import { demoFleet, HISTORY_MS, type DemoTank } from './demo-fleet.js';
import { DAY, lifeOf, pastReadings, type DemoReading, type TankLife } from './demo-readings.js';

const NEVER_READ = 'Chloe Nguyen';
/** Devices that report more often, by the tank's custom id. Some are new: ten months of them would fill the database. */
const FREQUENT: ReadonlyMap<string, { readonly everyMinutes: number; readonly days?: number }> = new Map([
  ['GMC-01', { everyMinutes: 15 }],
  ['BGB-01', { everyMinutes: 5, days: 14 }],
  ['NEG-01', { everyMinutes: 1, days: 3 }],
]);
/** A small tank that is refilled every few hours. */
const DAY_TANK = 'NEG-01';

/** The newest first. */
export function pastReadingsOf(one: DemoTank, end: number): Iterable<DemoReading> {
  const life = lifeOfTank(one);
  if (life === undefined) return [];
  const days = FREQUENT.get(one.tank.custom_id ?? '')?.days;
  const first = end - (days === undefined ? HISTORY_MS : days * DAY);
  return pastReadings(life, Math.max(first, Date.parse(one.tank.created_at)), lastMomentOf(one, end));
}

/** When it was deleted, or else the end of the history. */
export function lastMomentOf({ tank }: DemoTank, end: number): number {
  return tank.deleted === true ? Date.parse(tank.updated_at) : end;
}

/** The tanks whose devices go on reporting. */
export function reportingTanks(): TankLife[] {
  return demoFleet(Date.now()).tanks.flatMap((one) => {
    const life = one.tank.deleted === true ? undefined : lifeOfTank(one);
    return life === undefined || life.isSilent ? [] : [life];
  });
}

function lifeOfTank({ tank, ownerName, kind, latitude }: DemoTank): TankLife | undefined {
  if (ownerName === NEVER_READ) return undefined;
  const { id: tankId, custom_id: customId, min_fill_alert_percentage: threshold } = tank;
  const usedAs = customId === DAY_TANK ? 'day tank' : kind;
  return lifeOf({ tankId, kind: usedAs, latitude, threshold }, FREQUENT.get(customId ?? '')?.everyMinutes);
}
