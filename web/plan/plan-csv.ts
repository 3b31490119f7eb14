// A plan as CSV, for a spreadsheet or a route planner.
import type { TankStatus } from 'tank-monitoring-client';
import { csvOf } from '../parts/save.js';
import { roomIn } from './stops.js';
import type { Owners } from './use-owners.js';

/** Named as the API names them; `low` tanks have reached their alert: of that they have no instants. */
export function planAsCsv(tanks: readonly TankStatus[], owners: Owners, fillTo: number): string {
  const rows = tanks.map((tank) => {
    const { tank_id, name, custom_id, owner_name, low, fill_percentage, capacity_unit } = tank;
    const { alert, empty } = tank.forecast ?? {};
    const ahead = {
      alert_p10: alert?.p10 ?? null,
      alert_p50: alert?.p50 ?? null,
      alert_p90: alert?.p90 ?? null,
      empty_p10: empty?.p10 ?? null,
      empty_p50: empty?.p50 ?? null,
      empty_p90: empty?.p90 ?? null,
    };
    const phone = owners.get(tank.owner_id)?.phone ?? null;
    const amount = Math.round(roomIn(tank, fillTo));
    const when = { low: String(low), ...ahead };
    const who = { tank_id, name, custom_id, owner_name, phone };
    return { ...who, ...tank.location, ...when, fill_percentage, amount, capacity_unit };
  });
  return csvOf([Object.keys(rows[0] ?? {}), ...rows.map((row) => Object.values(row))]);
}
