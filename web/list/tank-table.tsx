// The tanks of one page, worst first. A real table: on a phone only its looks change.
import type { TankStatus } from 'tank-monitoring-client';
import { LevelBar } from '../parts/level.js';
import { Link } from '../parts/link.js';
import { States, statesOf } from '../parts/state.js';
import { Ago, useNow } from '../parts/when.js';
import { sortOf, type Route, type Sort } from '../route.js';
import { percent, placeOf, volume } from '../words.js';

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
          <th scope="col">State</th>
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
    <tr class={`row-${worst}${tank.silent ? ' row-old' : ''}`}>
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
      <td class="cell-state">
        <States tank={tank} />
      </td>
    </tr>
  );
}

function LevelFigures({ tank }: { readonly tank: TankStatus }) {
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
          , alert at {tank.min_fill_alert_percentage} %{tank.silent ? ', an old figure' : ''}
        </span>
      </span>
    </div>
  );
}

function PlaceholderRow() {
  return (
    <tr class="placeholder" aria-hidden="true">
      {['tank', 'owner', 'level', 'when', 'state'].map((cell) => (
        <td key={cell} class={`cell-${cell}`}>
          <span class="first">&nbsp;</span>
          <span class="second">&nbsp;</span>
        </td>
      ))}
    </tr>
  );
}
