// What is printed of a run, and its CSV: what a driver needs on paper, and an office in a spreadsheet.
import type { Run } from 'tank-monitoring-client';
import { addressLines, percent, volume } from '../format.js';
import { saveTable } from '../parts/save.js';
import { loadOf, outcomeOf, titleOf } from './run-words.js';
import { words } from '../words/words.js';

export function RunSheet({ run }: { readonly run: Run }) {
  const { capacity_unit: unit, planned, distance_km: distance, stops } = run;
  const totals = [
    words.runs.stops(stops.length),
    loadOf(run)[0],
    distance === null || distance === 0 ? '' : words.runs.km(distance),
  ].filter((part) => part !== '');
  return (
    <table class="sheet run-sheet">
      <caption>
        <strong>{titleOf(run, true)}</strong> {totals.join(' · ')}
      </caption>
      <thead>
        <tr>
          {words.runs.sheet.map((column) => (
            <th key={column}>{column}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {stops.map((stop, i) => (
          <tr key={stop.tank_id}>
            <td class="box">{i + 1}</td>
            <td>
              <strong>{stop.tank?.owner_name}</strong>
              {stop.tank !== null &&
                addressLines(stop.tank.location).map((line) => <span key={line}>{line}</span>)}
            </td>
            <td>{stop.tank?.phone ?? '–'}</td>
            <td>
              <strong>{stop.tank?.name ?? words.runs.tankGone}</strong>
              <span>{stop.tank?.custom_id}</span>
              <span>{stop.note}</span>
            </td>
            <td>{stop.tank?.fill_percentage == null ? '–' : percent(stop.tank.fill_percentage)}</td>
            <td>{volume(stop.planned, unit)}</td>
            {stop.status === 'open' ? (
              <td class="box">☐</td>
            ) : (
              <td class="outcome">{outcomeOf(stop, unit)}</td>
            )}
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <td colSpan={5}>{words.runs.total}</td>
          <td colSpan={2}>{volume(planned, unit)}</td>
        </tr>
      </tfoot>
    </table>
  );
}

/** Named as the API names them. */
export function saveRun({ id, date, name, capacity_unit, stops }: Run): void {
  const rows = stops.map((stop, i) => ({
    run_id: id,
    date,
    run_name: name,
    place: i + 1,
    tank_id: stop.tank_id,
    name: stop.tank?.name ?? null,
    custom_id: stop.tank?.custom_id ?? null,
    owner_name: stop.tank?.owner_name ?? null,
    phone: stop.tank?.phone ?? null,
    ...stop.tank?.location,
    fill_percentage: stop.tank?.fill_percentage ?? null,
    planned: stop.planned,
    status: stop.status,
    delivered: stop.delivered,
    delivered_at: stop.delivered_at,
    measured_volume: stop.measured?.volume ?? null,
    difference_percent: stop.measured?.difference_percent ?? null,
    capacity_unit,
    note: stop.note,
  }));
  saveTable(rows, [words.files.run, date, name ?? id]);
}
