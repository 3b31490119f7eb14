// Which tanks of a page have a sensor that somebody should look after.
import type { ListFleetTanksQuery, TankMonitoring } from 'tank-monitoring-client';
import { isTrouble } from '../api/troubles.js';
import type { SensorNeed } from '../route.js';

export type SensorNeeds = Readonly<Record<SensorNeed, ReadonlySet<string>>>;

/** As many as the API gives at once. */
const AT_ONCE = 100;

/**
 * With the same filter and in the same order as the page, so that those on it are among the first: at most as many as the pages up to it
 * have tanks. Where they cannot be had the tanks are shown all the same.
 */
export async function findNeeds(
  client: TankMonitoring,
  { page = 1, size = 1, ...query }: ListFleetTanksQuery,
  signal: AbortSignal,
): Promise<SensorNeeds> {
  const first = page * size;
  const find = async (need: SensorNeed): Promise<ReadonlySet<string>> => {
    const asked = { ...query, [need]: true };
    const { data, total_items: total } = await client.fleet.tanks.page(
      { ...asked, size: AT_ONCE },
      { signal },
    );
    const ids = new Set(data.map(({ tank_id }) => tank_id));
    if (Math.min(first, total) <= AT_ONCE) return ids;
    for await (const { tank_id } of client.fleet.tanks.list(asked, { signal })) {
      if (ids.add(tank_id).size >= first) break;
    }
    return ids;
  };
  try {
    const [low_battery, weak_signal] = await Promise.all([find('low_battery'), find('weak_signal')]);
    return { low_battery, weak_signal };
  } catch (error) {
    if (!isTrouble(error)) throw error;
    return { low_battery: new Set(), weak_signal: new Set() };
  }
}
