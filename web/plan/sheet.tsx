// What is printed of a plan, and nothing else is: what a driver needs, with a box to tick. And its CSV, for a spreadsheet or a route planner.
import type { TankStatus } from 'tank-monitoring-client';
import { now } from '../api/clock.js';
import { addressLines, percent, volume } from '../format.js';
import { whenInWords } from '../outlook.js';
import { saveTable } from '../parts/save.js';
import { roomIn } from './stops.js';
import type { Owners } from './use-known.js';
import { words } from '../words/words.js';

interface Props {
  readonly tanks: readonly TankStatus[];
  readonly owners: Owners;
  readonly fillTo: number;
}

export function Sheet({ tanks, owners, fillTo }: Props) {
  return (
    <table class="sheet">
      <thead>
        <tr>
          {words.plan.sheet.map((column) => (
            <th key={column}>{column}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {tanks.map((tank) => (
          <tr key={tank.tank_id}>
            <td class="box">☐</td>
            <td>
              <strong>{tank.owner_name}</strong>
              {addressLines(tank.location).map((line) => (
                <span key={line}>{line}</span>
              ))}
            </td>
            <td>{owners.get(tank.owner_id)?.phone ?? '–'}</td>
            <td>
              <strong>{tank.name}</strong>
              <span>{tank.custom_id}</span>
            </td>
            <td>{tank.fill_percentage === null ? '–' : percent(tank.fill_percentage)}</td>
            <td>{tank.forecast === null ? '–' : whenInWords(tank.forecast.empty, now())}</td>
            <td>{volume(roomIn(tank, fillTo), tank.capacity_unit)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Named as the API names them; `low` tanks have reached their alert: of that they have no instants. */
export function savePlan(tanks: readonly TankStatus[], owners: Owners, fillTo: number, until: string): void {
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
  saveTable(rows, [words.files.planUntil, until]);
}
