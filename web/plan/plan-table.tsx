// The plan itself: a table with a part for each day. On a phone only its looks change.
import type { TankStatus } from 'tank-monitoring-client';
import { placeOf, volume } from '../format.js';
import { LevelFigures, NameCell, placeholderRows, rowClass } from '../list/tank-table.js';
import { Tick } from '../list/tick.js';
import { hasAlert, likelyDay, whenInWords } from '../outlook.js';
import { usePage } from '../page.js';
import { Head } from '../parts/listing.js';
import { States, statesOf } from '../parts/state.js';
import { Phone, TwoLines } from '../parts/text.js';
import { Ago } from '../parts/when.js';
import { roomIn, roomInWords, type Day } from './stops.js';
import type { Owners } from './use-known.js';
import { words } from '../words/words.js';

interface Props {
  /** Undefined while they are on their way. */
  readonly days: readonly Day[] | undefined;
  /** How many rows are drawn; the sums are of all. */
  readonly shown: number;
  readonly owners: Owners;
  readonly ticked: ReadonlySet<string>;
  readonly now: number;
  readonly isBusy: boolean;
}

const COLUMNS = [
  ['✓', '2.75rem'],
  [words.tank.one, '14%'],
  [words.ownerAndPlace, '23%'],
  [words.level, '16%'],
  [words.plan.emptyAndAlert, '24%'],
  [words.plan.fits, '8%'],
  [words.sensor.one, '12%'],
] as const;
const CELLS = ['pick', 'tank', 'owner', 'level', 'due', 'room', 'state'];

export function PlanTable(props: Props) {
  const { days, shown, isBusy } = props;
  const before = (place: number) =>
    (days ?? []).slice(0, place).reduce((all, [, tanks]) => all + tanks.length, 0);
  return (
    <table class="tanks plan" aria-busy={isBusy}>
      <caption class="for-ears">{words.plan.caption}</caption>
      <Head columns={COLUMNS} />
      {days === undefined ? (
        <tbody>{placeholderRows(8, CELLS)}</tbody>
      ) : (
        days.map((day, place) => (
          <DayRows key={day[0]} day={day} {...props} shown={Math.max(0, shown - before(place))} />
        ))
      )}
    </table>
  );
}

function DayRows(props: Props & { readonly day: Day }) {
  const { route } = usePage();
  const { day, shown, ticked } = props;
  const [title, tanks] = day;
  const ids = tanks.map(({ tank_id }) => tank_id);
  return (
    <tbody>
      <tr class="plan-day">
        <td class="cell-pick">
          <Tick label={words.plan.allOf(title)} ids={ids} ticked={ticked} />
        </td>
        <th scope="rowgroup" colSpan={6}>
          {title}{' '}
          <span class="second">
            {words.tanks(tanks.length)}, {roomInWords(tanks, route.fillTo)}
          </span>
        </th>
      </tr>
      {tanks.slice(0, shown).map((tank) => (
        <StopRow key={tank.tank_id} tank={tank} {...props} />
      ))}
    </tbody>
  );
}

function StopRow({ tank, owners, ticked, now }: Props & { readonly tank: TankStatus }) {
  const { route } = usePage();
  const phone = owners.get(tank.owner_id)?.phone ?? undefined;
  const room = roomIn(tank, route.fillTo);
  return (
    <tr class={rowClass(tank)}>
      <td class="cell-pick">
        <Tick
          label={`${tank.name}, ${tank.owner_name ?? words.ownerDeleted}`}
          ids={[tank.tank_id]}
          ticked={ticked}
        />
      </td>
      <NameCell tank={tank} />
      <td class="cell-owner">
        <span class="first">{tank.owner_name ?? words.ownerDeleted}</span>
        <span class="second">
          {placeOf(tank.location) ?? words.noAddress}
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
        <span class="first">{room === 0 ? words.plan.fitsNothing : volume(room, tank.capacity_unit)}</span>
      </td>
      <td class="cell-state">
        {/* Of the level the other columns tell. */}
        <States tank={tank} of={statesOf(tank).filter((state) => state === 'silent' || state === 'never')} />
        <span class="second">
          {tank.reported_at !== null && (
            <>
              {words.plan.reported} <Ago at={tank.reported_at} />
            </>
          )}
        </span>
      </td>
    </tr>
  );
}

/** When it is likely empty, and what the alert is about. */
function Due({ tank, now }: { readonly tank: TankStatus; readonly now: number }) {
  const { low, forecast } = tank;
  if (forecast === null) return <TwoLines first={low ? words.plan.reached : words.notKnown} second="" />;
  const alert = low ? words.plan.reached : forecast.alert && words.map.alert(likelyDay(forecast.alert, now));
  return (
    <TwoLines
      first={words.plan.emptyAlone(whenInWords(forecast.empty, now))}
      second={hasAlert(tank) && alert}
    />
  );
}
