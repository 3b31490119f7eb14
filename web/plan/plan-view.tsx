// Who gets a delivery: the tanks in the order in which they reach their alert, by day. What is ticked is counted, shown on the map,
// printed or saved; if nothing is, all of it is.
import { useState } from 'preact/hooks';
import type { TankMonitoring, TankStatus } from 'tank-monitoring-client';
import { go, type Route } from '../route.js';
import { fileName, save } from '../parts/save.js';
import { useNow } from '../parts/when.js';
import { count, counted } from '../words.js';
import { planAsCsv } from './plan-csv.js';
import { PlanTable } from './plan-table.js';
import { Sheet } from './sheet.js';
import { daysOf, endOf, roomInWords } from './stops.js';
import { useOwners } from './use-owners.js';
import { dateOf } from '../tank/range.js';

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
  const owners = known ?? new Map<string, never>();
  const [shown, setShown] = useState(SHOWN);
  const { chosen, fillTo } = route;
  const ticked = new Set(chosen);
  const picked = (tanks ?? []).filter(({ tank_id }) => ticked.has(tank_id));
  const meant = picked.length === 0 ? (tanks ?? []) : picked;
  const choose = (ids: readonly string[]) => go({ ...route, chosen: ids }, { replace: true });
  const tick = (ids: readonly string[], isOn: boolean) => {
    const others = chosen.filter((id) => !ids.includes(id));
    choose(isOn ? [...others, ...ids] : others);
  };
  const end = endOf(route.until);
  const rest = (tanks?.length ?? 0) - shown;
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
            Show {counted(Math.min(rest, SHOWN), 'more', 'more')} of {count(rest)}
          </button>
        </p>
      )}
      {known !== undefined && meant.length > 0 && (
        <div
          class={picked.length === 0 ? 'plan-bar' : 'plan-bar plan-bar-on'}
          role="group"
          aria-label="What is chosen"
        >
          <p role="status">
            <strong>{picked.length === 0 ? 'None chosen' : `${count(picked.length)} chosen`}</strong>
            <span class="second">
              {picked.length === 0 && `all ${count(meant.length)}: `}
              {roomInWords(meant, fillTo)}
            </span>
          </p>
          <div class="actions">
            {picked.length > 0 && (
              <button type="button" onClick={() => choose([])}>
                Clear
              </button>
            )}
            <button
              type="button"
              onClick={() =>
                go({ ...route, view: 'map', chosen: meant.map(({ tank_id }) => tank_id), page: 1 })
              }
            >
              Show on map
            </button>
            <button
              type="button"
              onClick={() =>
                save([planAsCsv(meant, owners, fillTo)], fileName(['plan', 'until', dateOf(end)]))
              }
            >
              CSV
            </button>
            <button type="button" class="main-action" onClick={() => print()}>
              Print
            </button>
          </div>
        </div>
      )}
      <Sheet tanks={meant} owners={owners} fillTo={fillTo} />
    </>
  );
}
