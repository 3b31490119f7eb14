// Who gets a delivery: the tanks that are due, by the day they may be empty or reach their alert. What is ticked is counted, shown on
// the map, printed or saved, whatever is searched for meanwhile; if nothing is, all of it is.
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { TankStatus } from 'tank-monitoring-client';
import { dateOf, midnight } from '../calendar.js';
import { usePage } from '../page.js';
import { Button } from '../parts/button.js';
import { useSheet } from '../parts/use-sheet.js';
import { useNow } from '../parts/when.js';
import { go, sortOf, START } from '../route.js';
import { asRun, RunDialog, type Wanted } from '../runs/run-dialog.js';
import { mayChangeRuns } from '../session.js';
import { PlanTable } from './plan-table.js';
import { savePlan, Sheet } from './sheet.js';
import { daysOf, endOfPlan, inUnit, loadOn, roomIn, roomInWords } from './stops.js';
import { useChosen, useOwners, type Owners } from './use-known.js';
import { words } from '../words/words.js';

/** As many as are in sight, and how many more are drawn when one comes to their end: rows are dear. */
const SHOWN = 30;
const MORE = 50;

interface Props {
  readonly tanks: readonly TankStatus[] | undefined;
  readonly isBusy: boolean;
}

export function PlanView({ tanks, isBusy }: Props) {
  const { client, me, route } = usePage();
  const now = useNow(60_000);
  const [shown, setShown] = useState(SHOWN);
  const { chosen, fillTo, truck } = route;
  const picked = useChosen(chosen, tanks);
  const ticked = useMemo(() => new Set(chosen), [chosen]);
  const isPicked = picked.length > 0;
  const meant = isPicked ? picked : (tanks ?? []);
  // Also of those that are not chosen: no row changes when another is.
  const shownOrPicked = useMemo(() => [...(tanks ?? []), ...picked], [tanks, picked]);
  const known = useOwners(shownOrPicked);
  const owners: Owners = known ?? new Map();
  const by = sortOf(route);
  const end = endOfPlan(route.until);
  const today = midnight(now);
  const days = useMemo(() => tanks && daysOf(tanks, by, end, today), [tanks, by, end, today]);
  const rest = (tanks?.length ?? 0) - shown;
  const showOnMap = () => go({ ...route, view: 'map', chosen: meant.map(({ tank_id }) => tank_id), page: 1 });
  useSheet(() => <Sheet tanks={meant} owners={owners} fillTo={fillTo} />);
  const makeRun = async (wanted: Wanted) => {
    const roomOf = (tank: TankStatus) => inUnit(roomIn(tank, fillTo), tank.capacity_unit, wanted.unit);
    const stops = picked.map((tank) => ({ tank_id: tank.tank_id, planned: Math.round(roomOf(tank)) }));
    const run = await client.runs.create(asRun(wanted, stops));
    go({ ...START, view: 'runs', run: run.id });
    return undefined;
  };
  // Nobody puts all that is due on one truck.
  const load = truck === undefined || !isPicked ? undefined : loadOn(truck, picked, fillTo);
  return (
    <>
      <PlanTable days={days} shown={shown} owners={owners} ticked={ticked} now={now} isBusy={isBusy} />
      {rest > 0 && <More key={shown} rest={rest} onMore={() => setShown(shown + MORE)} />}
      {meant.length > 0 && (
        <div class={isPicked ? 'plan-bar plan-bar-on' : 'plan-bar'} role="group" aria-label={words.plan.bar}>
          <p role="status" class={load?.isOver === true ? 'over' : undefined}>
            <strong>{isPicked ? words.plan.chosen(picked.length) : words.plan.noneChosen}</strong>
            <span class="second">
              {!isPicked && !isBusy && words.plan.allOfThem(meant.length)}
              {isBusy && !isPicked ? words.loading : (load?.text ?? roomInWords(meant, fillTo))}
            </span>
            {load !== undefined && (
              <progress
                max={1}
                value={Math.min(1, load.share)}
                aria-label={load.text}
                class={load.isOver ? 'over' : undefined}
              />
            )}
          </p>
          <div class="actions">
            {isPicked && (
              <Button onClick={() => go({ ...route, chosen: [] }, { replace: true })}>
                {words.plan.clear}
              </Button>
            )}
            <Button icon="way" onClick={showOnMap}>
              {words.plan.onMap}
            </Button>
            <Button icon="download" onClick={() => savePlan(meant, owners, fillTo, dateOf(end))}>
              CSV
            </Button>
            {mayChangeRuns(me) && isPicked && (
              <RunDialog
                label={words.runs.make}
                title={words.runs.makeTitle(picked.length)}
                action={words.runs.make}
                capacity={truck}
                unit={picked.every(({ capacity_unit }) => capacity_unit === 'gallons') ? 'gallons' : 'liters'}
                onSave={(wanted) => makeRun(wanted)}
              />
            )}
            <Button icon="print" class="main-action" disabled={known === undefined} onClick={() => print()}>
              {words.plan.print}
            </Button>
          </div>
        </div>
      )}
    </>
  );
}

/** Comes by itself once it is in sight. */
function More({ rest, onMore }: { readonly rest: number; readonly onMore: () => void }) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    const watch = new IntersectionObserver(
      (seen) => seen.some(({ isIntersecting }) => isIntersecting) && onMore(),
    );
    if (button.current !== null) watch.observe(button.current);
    return () => watch.disconnect();
  }, []);
  return (
    <p class="instead">
      <button type="button" ref={button} onClick={onMore}>
        {words.plan.more(Math.min(rest, MORE), rest)}
      </button>
    </p>
  );
}
