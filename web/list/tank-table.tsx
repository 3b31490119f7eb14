// The tanks of one page, worst first. A real table: on a phone only its looks change.
import type { TankStatus } from 'tank-monitoring-client';
import { alertInWords, hasAlert, isDoubted, likelyDay, spanInWords } from '../outlook.js';
import { LevelBar } from '../parts/level.js';
import { Link } from '../parts/link.js';
import { States, statesOf, toneOf } from '../parts/state.js';
import { Ago, useNow } from '../parts/when.js';
import { sortOf, type Route, type Sort } from '../route.js';
import { DAY, daysOrHours, lasting, percent, placeOf, volume } from '../words.js';

const PLACEHOLDERS = Array.from({ length: 12 }, (_, index) => index);

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
        {tanks === undefined
          ? PLACEHOLDERS.map((index) => <PlaceholderRow key={index} />)
          : tanks.map((tank) => <TankRow key={tank.tank_id} tank={tank} route={route} now={now} />)}
      </tbody>
    </table>
  );
}

function SortableHeader(props: { readonly sort: Sort; readonly route: Route; readonly children: string }) {
  const { sort, route, children } = props;
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

function TankRow({
  tank,
  route,
  now,
}: {
  readonly tank: TankStatus;
  readonly route: Route;
  readonly now: number;
}) {
  const [worst] = statesOf(tank);
  return (
    <tr class={`row-${toneOf(worst)}${tank.silent ? ' row-old' : ''}`}>
      <th scope="row" class="cell-tank">
        <Link to={{ ...route, tank: tank.tank_id }} data-tank={tank.tank_id}>
          {tank.name}
        </Link>
        <span class="second">{tank.custom_id ?? tank.assigned_device_id}</span>
      </th>
      <td class="cell-owner">
        <span class="first">{tank.owner_name ?? 'Owner deleted'}</span>
        <span class="second">{placeOf(tank.location) ?? 'No address'}</span>
      </td>
      <td class="cell-level">
        <LevelFigures tank={tank} />
      </td>
      <td class="cell-when">
        {tank.reported_at === null ? (
          <span class="second">never</span>
        ) : (
          <Ago at={tank.reported_at} now={now} />
        )}
      </td>
      <td class="cell-due">
        <AlertIn tank={tank} now={now} />
      </td>
      <td class="cell-state">
        <States tank={tank} />
      </td>
      <td class="cell-wide">
        {tank.forecast !== null && (
          <>
            <span class="first">
              {volume((tank.capacity * tank.forecast.percent_per_day) / 100, tank.capacity_unit)}
            </span>
            <span class="second">{percent(tank.forecast.percent_per_day)}</span>
          </>
        )}
      </td>
      <td class="cell-wide">
        <span class="first">{tank.assigned_device_id || 'None'}</span>
        <span class="second">silent after {lasting(tank.silent_after_seconds * 1_000)}</span>
      </td>
    </tr>
  );
}

function AlertIn({ tank, now }: { readonly tank: TankStatus; readonly now: number }) {
  const { low, forecast } = tank;
  const instants = low || !hasAlert(tank) ? forecast?.empty : forecast?.alert;
  const p50 = instants?.p50 ?? null;
  const days = p50 === null ? undefined : Math.max(0, (Date.parse(p50) - now) / DAY);
  if (low || !hasAlert(tank)) {
    return (
      <>
        <span class="first">{low ? 'Reached' : 'No alert'}</span>
        <span class="second">{days !== undefined && emptyIn(days)}</span>
      </>
    );
  }
  if (instants == null) return <span class="second">Not known</span>;
  return (
    <>
      <span class="first">{days === undefined ? 'Over 6 months' : daysOrHours(days)}</span>
      <span class="second">
        {isDoubted(tank) ? 'Just refilled?' : spanInWords(instants, now) || likelyDay(instants, now)}
      </span>
    </>
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

const CELLS = ['tank', 'owner', 'level', 'when', 'due', 'state'];

export function PlaceholderRow({ cells = CELLS }: { readonly cells?: readonly string[] }) {
  return (
    <tr class="placeholder" aria-hidden="true">
      {cells.map((cell) => (
        <td key={cell} class={`cell-${cell}`}>
          <span class="first">&nbsp;</span>
          <span class="second">&nbsp;</span>
        </td>
      ))}
    </tr>
  );
}
