// The tanks of one page, worst first. A real table: on a phone only its looks change.
import type { TankStatus } from 'tank-monitoring-client';
import { alertInWords, hasAlert, isDoubted, likelyDay, spanInWords } from '../outlook.js';
import { LevelBar } from '../parts/level.js';
import { Link } from '../parts/link.js';
import { States, statesOf, toneOf } from '../parts/state.js';
import { TwoLines } from '../parts/two-lines.js';
import { Ago, useNow } from '../parts/when.js';
import { sortOf, type Route, type Sort } from '../route.js';
import { DAY, daysOrHours, lasting, percent, placeOf, volume } from '../words.js';

const CELLS = ['tank', 'owner', 'level', 'when', 'due', 'state'];

interface Props {
  /** Undefined while the first page is on its way: the table stands already, so that nothing jumps. */
  readonly tanks: readonly TankStatus[] | undefined;
  readonly route: Route;
  readonly isBusy: boolean;
}

export function TankTable({ tanks, route, isBusy }: Props) {
  const now = useNow(30_000);
  return (
    <table class="tanks" aria-busy={isBusy}>
      <caption class="for-ears">Tanks</caption>
      <thead>
        <tr>
          <th scope="col">Tank</th>
          <th scope="col">Owner and place</th>
          <SortableHeader sort="fill_percentage" route={route}>
            Level
          </SortableHeader>
          <SortableHeader sort="reported_at" route={route}>
            Last report
          </SortableHeader>
          <SortableHeader sort="alert_at" route={route}>
            Alert in
          </SortableHeader>
          <th scope="col">State</th>
          <th scope="col" class="cell-wide">
            Use a day
          </th>
          <th scope="col" class="cell-wide">
            Device
          </th>
        </tr>
      </thead>
      <tbody>
        {tanks?.map((tank) => <TankRow key={tank.tank_id} tank={tank} route={route} now={now} />) ??
          placeholderRows(12, CELLS)}
      </tbody>
    </table>
  );
}

function SortableHeader({ sort, route, children }: { sort: Sort; route: Route; children: string }) {
  const isSorted = sortOf(route) === sort;
  return (
    <th scope="col" aria-sort={isSorted ? 'ascending' : 'none'}>
      <Link to={{ ...route, sort, page: 1 }}>
        {children}
        <span class="sort-sign" aria-hidden="true">
          {isSorted ? '↑' : '↕'}
        </span>
      </Link>
    </th>
  );
}

interface RowProps {
  readonly tank: TankStatus;
  readonly route: Route;
  readonly now: number;
}

function TankRow({ tank, route, now }: RowProps) {
  const { forecast, reported_at: reported, silent_after_seconds: patience } = tank;
  return (
    <tr class={rowClass(tank)}>
      <NameCell tank={tank} route={route} />
      <td class="cell-owner">
        <TwoLines
          first={tank.owner_name ?? 'Owner deleted'}
          second={placeOf(tank.location) ?? 'No address'}
        />
      </td>
      <td class="cell-level">
        <LevelFigures tank={tank} />
      </td>
      <td class="cell-when">
        {reported === null ? <span class="second">never</span> : <Ago at={reported} now={now} />}
      </td>
      <td class="cell-due">
        <AlertIn tank={tank} now={now} />
      </td>
      <td class="cell-state">
        <States tank={tank} />
      </td>
      <td class="cell-wide">
        {forecast !== null && (
          <TwoLines
            first={volume((tank.capacity * forecast.percent_per_day) / 100, tank.capacity_unit)}
            second={percent(forecast.percent_per_day)}
          />
        )}
      </td>
      <td class="cell-wide">
        <TwoLines
          first={tank.assigned_device_id || 'None'}
          second={`silent after ${lasting(patience * 1_000)}`}
        />
      </td>
    </tr>
  );
}

/** Of the style sheet: how its state looks, and whether it is an old one. */
export function rowClass(tank: TankStatus): string {
  return `row-${toneOf(statesOf(tank)[0])}${tank.silent ? ' row-old' : ''}`;
}

export function NameCell({ tank, route }: Pick<RowProps, 'tank' | 'route'>) {
  return (
    <th scope="row" class="cell-tank">
      <Link to={{ ...route, tank: tank.tank_id }} data-tank={tank.tank_id}>
        {tank.name}
      </Link>
      <span class="second">{tank.custom_id ?? tank.assigned_device_id}</span>
    </th>
  );
}

function AlertIn({ tank, now }: Pick<RowProps, 'tank' | 'now'>) {
  const { low, forecast } = tank;
  const isAhead = !low && hasAlert(tank);
  const instants = isAhead ? forecast?.alert : forecast?.empty;
  const days = instants?.p50 == null ? undefined : Math.max(0, (Date.parse(instants.p50) - now) / DAY);
  if (!isAhead) {
    return <TwoLines first={low ? 'Reached' : 'No alert'} second={days !== undefined && emptyIn(days)} />;
  }
  if (instants == null) return <span class="second">Not known</span>;
  return (
    <TwoLines
      first={days === undefined ? 'Over 6 months' : daysOrHours(days)}
      second={isDoubted(tank) ? 'Just refilled?' : spanInWords(instants, now) || likelyDay(instants, now)}
    />
  );
}

/** Instants are cut to the hour. */
function emptyIn(days: number): string {
  return days * 24 < 1 ? 'likely empty' : `empty in ${daysOrHours(days)}`;
}

export function LevelFigures({ tank }: { readonly tank: TankStatus }) {
  const capacity = volume(tank.capacity, tank.capacity_unit);
  if (tank.fill_percentage === null || tank.volume === null) {
    return <span class="second">No reading yet, holds {capacity}</span>;
  }
  return (
    <div class="level-cell">
      <LevelBar tank={tank} />
      <span class="figure">{percent(tank.fill_percentage)}</span>
      <span class="second">
        {volume(tank.volume, tank.capacity_unit)} of {capacity}
        <span class="for-ears">
          , {alertInWords(tank).toLowerCase()}
          {tank.silent ? ', an old figure' : ''}
        </span>
      </span>
    </div>
  );
}

export function placeholderRows(rows: number, cells: readonly string[]) {
  return Array.from({ length: rows }, (_, row) => (
    <tr key={row} class="placeholder" aria-hidden="true">
      {cells.map((cell) => (
        <td key={cell} class={`cell-${cell}`}>
          <TwoLines first="&nbsp;" second="&nbsp;" />
        </td>
      ))}
    </tr>
  ));
}
