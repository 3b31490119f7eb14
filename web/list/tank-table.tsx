// The tanks of one page, worst first. A real table: on a phone only its looks change.
import type { TankStatus } from 'tank-monitoring-client';
import { daysOrHours, lasting, percent, placeOf, volume } from '../format.js';
import { daysTo, alertInWords, hasAlert, likelyDay, spanInWords, type Instants } from '../outlook.js';
import { usePage } from '../page.js';
import { Icon } from '../parts/icons.js';
import { Link } from '../parts/link.js';
import { LevelBar, States, statesOf, toneOf } from '../parts/state.js';
import { TwoLines } from '../parts/text.js';
import { Ago, useNow } from '../parts/when.js';
import { SENSOR_NEEDS, sortOf, type Sort } from '../route.js';
import type { SensorNeeds } from './sensor-needs.js';
import { Tick } from './tick.js';
import { words } from '../words/words.js';

const CELLS = ['tank', 'owner', 'level', 'when', 'due', 'state'];

interface Props {
  /** Undefined while the first page is on its way: the table stands already, so that nothing jumps. */
  readonly tanks: readonly TankStatus[] | undefined;
  readonly isBusy: boolean;
  readonly needs?: SensorNeeds | undefined;
  /** Tanks are ticked to change many of them at once. */
  readonly isTicking?: boolean | undefined;
}

export function TankTable({ tanks, isBusy, needs, isTicking = false }: Props) {
  const { route } = usePage();
  const now = useNow(30_000);
  // What it is sorted by is what it tells.
  const ahead = sortOf(route) === 'empty_at' ? 'empty_at' : 'alert_at';
  const ids = tanks?.map(({ tank_id }) => tank_id) ?? [];
  const ticked = new Set(route.chosen);
  return (
    <table class="tanks" aria-busy={isBusy}>
      <caption class="for-ears">{words.list.tanks}</caption>
      <thead>
        <tr>
          <th scope="col" class="cell-tank">
            {isTicking && ids.length > 0 && (
              <Tick class="pick" label={words.list.tickAll} ids={ids} ticked={ticked} />
            )}
            {words.tank.one}
          </th>
          <th scope="col">{words.ownerAndPlace}</th>
          <SortableHeader sort="fill_percentage">{words.level}</SortableHeader>
          <SortableHeader sort="reported_at">{words.list.reported}</SortableHeader>
          <SortableHeader sort={ahead}>
            {ahead === 'empty_at' ? words.tank.emptyIn : words.tank.alertIn}
          </SortableHeader>
          <th scope="col">{words.state}</th>
          <th scope="col" class="cell-wide">
            {words.tank.useADay}
          </th>
          <th scope="col" class="cell-wide">
            {words.tank.device}
          </th>
        </tr>
      </thead>
      <tbody>
        {tanks?.map((tank) => (
          <TankRow
            key={tank.tank_id}
            tank={tank}
            now={now}
            needs={needs}
            ticks={isTicking ? { ticked, among: ids } : undefined}
          />
        )) ?? placeholderRows(12, CELLS)}
      </tbody>
    </table>
  );
}

function SortableHeader({ sort, children }: { readonly sort: Sort; readonly children: string }) {
  const { route } = usePage();
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

interface RowProps extends Pick<Props, 'needs'> {
  readonly tank: TankStatus;
  readonly now: number;
  /** What is ticked, and among which tanks. */
  readonly ticks?: { readonly ticked: ReadonlySet<string>; readonly among: readonly string[] } | undefined;
}

function TankRow({ tank, now, needs, ticks }: RowProps) {
  const { route } = usePage();
  const { forecast, reported_at: reported, silent_after_seconds: patience } = tank;
  return (
    <tr class={rowClass(tank)}>
      <NameCell tank={tank} ticks={ticks} />
      <td class="cell-owner">
        <TwoLines
          first={tank.owner_name ?? words.ownerDeleted}
          second={placeOf(tank.location) ?? words.noAddress}
        />
      </td>
      <td class="cell-level">
        <LevelFigures tank={tank} />
      </td>
      <td class="cell-when">
        {reported === null ? <span class="second">{words.list.never}</span> : <Ago at={reported} />}
      </td>
      <td class="cell-due">
        {sortOf(route) === 'empty_at' ? (
          <Ahead of={forecast?.empty} now={now} />
        ) : (
          <AlertIn tank={tank} now={now} />
        )}
      </td>
      <td class="cell-state">
        <States tank={tank} />
        {SENSOR_NEEDS.filter((need) => needs?.[need].has(tank.tank_id)).map((need) => (
          <span key={need} class="state state-silent">
            <Icon name={need} />
            {words.sensorNeeds[need]}
          </span>
        ))}
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
          first={tank.assigned_device_id || words.none}
          second={words.list.silentAfter(lasting(patience * 1_000))}
        />
      </td>
    </tr>
  );
}

/** Of the style sheet: how its state looks, and whether it is an old one. */
export function rowClass(tank: TankStatus): string {
  return `row-${toneOf(statesOf(tank)[0])}${tank.silent ? ' row-old' : ''}`;
}

export function NameCell({ tank, ticks }: Pick<RowProps, 'tank' | 'ticks'>) {
  const { route } = usePage();
  return (
    <th scope="row" class="cell-tank">
      {ticks && <Tick class="pick" label={words.list.tick(tank.name)} ids={[tank.tank_id]} {...ticks} />}
      <Link to={{ ...route, tank: tank.tank_id }} data-tank={tank.tank_id}>
        {tank.name}
      </Link>
      <span class="second">{tank.custom_id ?? tank.assigned_device_id}</span>
    </th>
  );
}

function AlertIn({ tank, now }: Pick<RowProps, 'tank' | 'now'>) {
  const { low, forecast } = tank;
  if (!low && hasAlert(tank)) return <Ahead of={forecast?.alert} now={now} />;
  const days = forecast === null ? undefined : daysTo(forecast.empty, now);
  const first = low ? words.list.reached : words.noAlert;
  return <TwoLines first={first} second={days !== undefined && emptyIn(days)} />;
}

interface AheadProps {
  readonly of: Instants | null | undefined;
  readonly now: number;
}

function Ahead({ of, now }: AheadProps) {
  if (of == null) return <span class="second">{words.notKnown}</span>;
  const days = daysTo(of, now);
  const first = days === undefined ? words.list.overHalfYear : daysOrHours(days);
  const span = spanInWords(of, now) || likelyDay(of, now);
  return <TwoLines first={first} second={span} />;
}

/** Instants are cut to the hour. */
function emptyIn(days: number): string {
  return days * 24 < 1 ? words.list.likelyEmpty : words.list.emptyIn(daysOrHours(days));
}

export function LevelFigures({ tank }: { readonly tank: TankStatus }) {
  const capacity = volume(tank.capacity, tank.capacity_unit);
  if (tank.fill_percentage === null || tank.volume === null) {
    return <span class="second">{words.list.noReading(capacity)}</span>;
  }
  return (
    <div class="level-cell">
      <LevelBar tank={tank} />
      <span class="figure">{percent(tank.fill_percentage)}</span>
      <span class="second">
        {words.list.volumeOf(volume(tank.volume, tank.capacity_unit), capacity)}
        <span class="for-ears">
          , {alertInWords(tank)}
          {tank.silent ? `, ${words.list.oldFigure}` : ''}
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
