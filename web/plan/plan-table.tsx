// The plan itself: a table with a part for each day. On a phone only its looks change.
import type { TankStatus } from 'tank-monitoring-client';
import { LevelFigures, PlaceholderRow } from '../list/tank-table.js';
import { hasAlert, isDoubted, likelyDay, spanInWords, whenInWords } from '../outlook.js';
import { Phone } from '../parts/contact.js';
import { Link } from '../parts/link.js';
import { States, statesOf, toneOf } from '../parts/state.js';
import { Head } from '../parts/table.js';
import { Ago } from '../parts/when.js';
import type { Route } from '../route.js';
import { capitalised, counted, placeOf, volume } from '../words.js';
import { roomIn, roomInWords, type Day } from './stops.js';
import type { Owners } from './use-owners.js';

interface Props {
  /** Undefined while they are on their way. */
  readonly days: readonly Day[] | undefined;
  readonly owners: Owners;
  readonly ticked: ReadonlySet<string>;
  readonly route: Route;
  readonly now: number;
  readonly isBusy: boolean;
  readonly onTick: (ids: readonly string[], isOn: boolean) => void;
}

const COLUMNS = {
  '✓': '2.75rem',
  Tank: '13%',
  'Owner and place': '24%',
  Level: '16%',
  Alert: '24%',
  Fits: '8%',
  Sensor: '12%',
};
const PLACEHOLDERS = Array.from({ length: 8 }, (_, index) => index);
const CELLS = ['pick', 'tank', 'owner', 'level', 'due', 'room', 'state'] as const;

export function PlanTable(props: Props) {
  const { days, isBusy } = props;
  return (
    <table class="tanks plan" aria-busy={isBusy}>
      <caption class="for-ears">Tanks by the day on which they reach their alert</caption>
      <Head columns={COLUMNS} />
      {days === undefined ? (
        <tbody>
          {PLACEHOLDERS.map((index) => (
            <PlaceholderRow key={index} cells={CELLS} />
          ))}
        </tbody>
      ) : (
        days.map((day) => <DayRows key={day.title} day={day} {...props} />)
      )}
    </table>
  );
}

function DayRows(props: Props & { readonly day: Day }) {
  const { day, ticked, route, onTick } = props;
  const ids = day.tanks.map(({ tank_id }) => tank_id);
  const isAll = ids.every((id) => ticked.has(id));
  return (
    <tbody>
      <tr class="plan-day">
        <td class="cell-pick">
          <input
            type="checkbox"
            checked={isAll}
            aria-label={`All of ${day.title}`}
            onChange={({ currentTarget }) => onTick(ids, currentTarget.checked)}
          />
        </td>
        <th scope="rowgroup" colSpan={6}>
          {day.title}{' '}
          <span class="second">
            {counted(day.tanks.length, 'tank')}, {roomInWords(day.tanks, route.fillTo)}
          </span>
        </th>
      </tr>
      {day.tanks.map((tank) => (
        <StopRow key={tank.tank_id} tank={tank} {...props} />
      ))}
    </tbody>
  );
}

function StopRow({ tank, owners, ticked, route, now, onTick }: Props & { readonly tank: TankStatus }) {
  const phone = owners.get(tank.owner_id)?.phone ?? undefined;
  const [worst] = statesOf(tank);
  return (
    <tr class={`row-${toneOf(worst)}${tank.silent ? ' row-old' : ''}`}>
      <td class="cell-pick">
        <input
          type="checkbox"
          checked={ticked.has(tank.tank_id)}
          aria-label={`${tank.name}, ${tank.owner_name ?? 'owner deleted'}`}
          onChange={({ currentTarget }) => onTick([tank.tank_id], currentTarget.checked)}
        />
      </td>
      <th scope="row" class="cell-tank">
        <Link to={{ ...route, tank: tank.tank_id }} data-tank={tank.tank_id}>
          {tank.name}
        </Link>
        <span class="second">{tank.custom_id ?? tank.assigned_device_id}</span>
      </th>
      <td class="cell-owner">
        <span class="first">{tank.owner_name ?? 'Owner deleted'}</span>
        <span class="second">
          {placeOf(tank.location) ?? 'No address'}
          {phone !== undefined && (
            <>
              {' · '}
              <Phone number={phone} />
            </>
          )}
        </span>
      </td>
      <td class="cell-level">
        <LevelFigures tank={tank} />
      </td>
      <td class="cell-due">
        <Due tank={tank} now={now} />
      </td>
      <td class="cell-room">
        <span class="first">{roomOf(tank, route.fillTo)}</span>
      </td>
      <td class="cell-state">
        {/* Of the level the other columns tell. */}
        <States tank={tank} of={statesOf(tank).filter((state) => state === 'silent' || state === 'never')} />
        <span class="second">
          {tank.reported_at !== null && (
            <>
              reported <Ago at={tank.reported_at} now={now} />
            </>
          )}
        </span>
      </td>
    </tr>
  );
}

function Due({ tank, now }: { readonly tank: TankStatus; readonly now: number }) {
  const { low, forecast } = tank;
  const empty = forecast === null ? '' : `empty ${whenInWords(forecast.empty, now)}`;
  if (low || forecast?.alert == null) {
    return (
      <>
        <span class="first">{low ? 'Reached' : 'Not known'}</span>
        <span class="second">{empty}</span>
      </>
    );
  }
  const span = spanInWords(forecast.alert, now);
  return (
    <>
      <span class="first">
        {capitalised(`${hasAlert(tank) ? '' : 'empty '}${likelyDay(forecast.alert, now)}`)}
      </span>
      <span class="second">
        {isDoubted(tank) ? 'Just refilled? The next reading will tell' : span && `may be ${span}`}
      </span>
    </>
  );
}

function roomOf(tank: TankStatus, fillTo: number): string {
  const room = roomIn(tank, fillTo) ?? 0;
  return room === 0 ? 'Nothing' : volume(room, tank.capacity_unit);
}
