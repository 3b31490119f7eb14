// Who gets a delivery: the tanks in the order in which they reach their alert, by day. What is ticked is counted, shown on the map,
// printed or saved; if nothing is, all of it is.
import { useState } from 'preact/hooks';
import type { TankMonitoring, TankStatus } from 'tank-monitoring-client';
import { dateOf } from '../calendar.js';
import { go, type Route } from '../route.js';
import { fileName, save } from '../parts/save.js';
import { useNow } from '../parts/when.js';
import { planAsCsv } from './plan-csv.js';
import { PlanTable } from './plan-table.js';
import { Sheet } from './sheet.js';
import { daysOf, endOfPlan, roomInWords } from './stops.js';
import { useOwners, type Owners } from './use-owners.js';
import { words } from '../words/words.js';

/** So that spreadsheets read names as they are. */
const BYTE_ORDER_MARK = '\uFEFF';

/** More than one looks through at once. */
const SHOWN = 300;

interface Props {
  readonly client: TankMonitoring;
  readonly tanks: readonly TankStatus[] | undefined;
  readonly route: Route;
  readonly isBusy: boolean;
}

export function PlanView({ client, tanks, route, isBusy }: Props) {
  const now = useNow(60_000);
  const known = useOwners(client, tanks);
  const owners: Owners = known ?? new Map();
  const [shown, setShown] = useState(SHOWN);
  const { chosen, fillTo } = route;
  const ticked = new Set(chosen);
  const all = tanks ?? [];
  const picked = all.filter(({ tank_id }) => ticked.has(tank_id));
  const isPicked = picked.length > 0;
  const meant = isPicked ? picked : all;
  const choose = (ids: readonly string[]) => go({ ...route, chosen: ids }, { replace: true });
  const tick = (ids: readonly string[], isOn: boolean) => {
    const others = chosen.filter((id) => !ids.includes(id));
    choose(isOn ? [...others, ...ids] : others);
  };
  const end = endOfPlan(route.until);
  const rest = all.length - shown;
  const showOnMap = () => go({ ...route, view: 'map', chosen: meant.map(({ tank_id }) => tank_id), page: 1 });
  const saveFile = () =>
    save([BYTE_ORDER_MARK, planAsCsv(meant, owners, fillTo)], fileName(['plan', 'until', dateOf(end)]));
  return (
    <>
      <PlanTable
        days={known && tanks && daysOf(tanks.slice(0, shown), end, now)}
        owners={owners}
        ticked={ticked}
        route={route}
        now={now}
        isBusy={isBusy}
        onTick={tick}
      />
      {rest > 0 && (
        <p class="instead">
          <button type="button" onClick={() => setShown(shown + SHOWN)}>
            {words.plan.more(Math.min(rest, SHOWN), rest)}
          </button>
        </p>
      )}
      {known !== undefined && meant.length > 0 && (
        <div class={isPicked ? 'plan-bar plan-bar-on' : 'plan-bar'} role="group" aria-label={words.plan.bar}>
          <p role="status">
            <strong>{isPicked ? words.plan.chosen(picked.length) : words.plan.noneChosen}</strong>
            <span class="second">
              {!isPicked && words.plan.allOfThem(meant.length)}
              {roomInWords(meant, fillTo)}
            </span>
          </p>
          <div class="actions">
            {isPicked && (
              <button type="button" onClick={() => choose([])}>
                {words.plan.clear}
              </button>
            )}
            <button type="button" onClick={showOnMap}>
              {words.plan.onMap}
            </button>
            <button type="button" onClick={saveFile}>
              CSV
            </button>
            <button type="button" class="main-action" onClick={() => print()}>
              {words.plan.print}
            </button>
          </div>
        </div>
      )}
      <Sheet tanks={meant} owners={owners} fillTo={fillTo} />
    </>
  );
}
