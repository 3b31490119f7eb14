// What is printed of a plan, and nothing else is: what a driver needs, with a box to tick. On the screen it is not seen.
import type { TankStatus } from 'tank-monitoring-client';
import { addressLines, percent, volume } from '../format.js';
import { now } from '../api/clock.js';
import { whenInWords } from '../outlook.js';
import { roomIn } from './stops.js';
import type { Owners } from './use-owners.js';
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
