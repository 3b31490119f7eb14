// One run: its load against the truck, its stops in their order, and what becomes of them. At a desk it is planned, printed and saved; on a
// phone it is the driver's list.
import { useEffect, useMemo, useState } from 'preact/hooks';
import { ifUnchanged, type Run, type RunInput } from 'tank-monitoring-client';
import { detailOf, isTrouble } from '../api/troubles.js';
import { count, volume } from '../format.js';
import { keep, keepPage } from '../offline.js';
import { usePage } from '../page.js';
import { Button } from '../parts/button.js';
import { Confirm } from '../parts/confirm.js';
import { Icon } from '../parts/icons.js';
import { useLoaded } from '../parts/use-loaded.js';
import { useSheet } from '../parts/use-sheet.js';
import { View } from '../parts/view.js';
import { START } from '../route.js';
import { mayChangeRuns } from '../session.js';
import { NOT_IN_FEED, useFresh } from '../use-fresh.js';
import { useEntries, withEntries } from './entries.js';
import { RunDialog } from './run-dialog.js';
import { RunSheet, saveRun } from './run-sheet.js';
import { loadOf, titleOf } from './run-words.js';
import { StopItem } from './stop-item.js';
import { words } from '../words/words.js';

export function RunView({ runId }: { readonly runId: string }) {
  const { client, me, onDone } = usePage();
  const mayChange = mayChangeRuns(me);
  // In an object of its own: the ETag of a run does not tell that its tanks have changed.
  const ask = async (signal: AbortSignal) => {
    const asked = await client.runs.get(runId, { signal });
    keep(me, asked);
    return { run: asked };
  };
  const fresh = useFresh(['run', runId], ask, NOT_IN_FEED);
  const [isEditing, setIsEditing] = useState(false);
  const [hasMap, setHasMap] = useState(false);
  const entries = useEntries().filter((one) => one.run === runId && one.refusal === undefined);
  const stored = fresh.data?.run;
  const run = useMemo(() => stored && withAll(stored, entries), [stored, JSON.stringify(entries)]);
  useEffect(() => void (stored && keepPage()), [stored !== undefined]);
  const { change, failure } = useChanges(stored, fresh.retry);
  useSheet(() => (run === undefined ? null : <RunSheet run={run} />));
  const remove = () =>
    void change(async () => {
      await client.runs.delete(runId);
      onDone(words.wasDeleted(run ? titleOf(run) : ''), { ...START, view: 'runs' });
    });
  return (
    <View
      class="run"
      title={run === undefined ? words.runs.one : titleOf(run)}
      tab={run === undefined ? null : titleOf(run)}
      back={{ ...START, view: 'runs' }}
      behind="runs"
      fresh={[fresh]}
    >
      {failure !== undefined && (
        <p role="alert" class="trouble">
          <Icon name="warning" /> {failure}
        </p>
      )}
      {run !== undefined && (
        <>
          <Load run={run} />
          <div class="actions run-actions">
            {mayChange && (
              <>
                <Button icon="order" onClick={() => void change(() => client.runs.order(runId))}>
                  {words.runs.order}
                </Button>
                <Button aria-pressed={isEditing} onClick={() => setIsEditing(!isEditing)}>
                  {words.runs.editStops}
                </Button>
                <RunDialog
                  label={words.runs.edit}
                  title={titleOf(run)}
                  action={words.save}
                  run={run}
                  onSave={async ({ date, name, capacity }) => {
                    await client.runs.patch(runId, { date, name, capacity });
                    fresh.retry();
                    return undefined;
                  }}
                />
              </>
            )}
            <Button icon="way" aria-pressed={hasMap} onClick={() => setHasMap(!hasMap)}>
              {words.plan.onMap}
            </Button>
            <Button icon="download" onClick={() => saveRun(run)}>
              CSV
            </Button>
            <Button icon="print" onClick={() => print()}>
              {words.plan.print}
            </Button>
            {mayChange && (
              <Confirm
                label={words.delete}
                title={words.runs.deleteTitle}
                action={words.delete}
                onConfirm={remove}
              >
                {words.runs.deleteWhat}
              </Confirm>
            )}
          </div>
          {hasMap && <LazyMap run={run} />}
          <ol class="panel stops">
            {run.stops.map((stop, i) => (
              <StopItem
                key={stop.tank_id}
                run={run}
                stop={stop}
                place={i + 1}
                isWaiting={entries.some((one) => one.tank === stop.tank_id)}
                mayChange={mayChange}
                onEdit={
                  isEditing
                    ? (edit) =>
                        void change((now) =>
                          client.runs.patch(runId, { stops: edited(now, i, edit) }, ifUnchanged(now)),
                        )
                    : undefined
                }
              />
            ))}
          </ol>
        </>
      )}
    </View>
  );
}

/** In a dead spot it may not come: the stops stay. */
function LazyMap({ run }: { readonly run: Run }) {
  const loaded = useLoaded(() => import('./run-map.js'));
  return loaded === undefined ? <p>{words.loading}</p> : <loaded.RunMap run={run} />;
}

/** With what is not sent yet, also in the sum. */
function withAll(run: Run, entries: Parameters<typeof withEntries>[1]): Run {
  const stops = run.stops.map((stop) => withEntries(stop, entries));
  return { ...run, stops, delivered: stops.reduce((sum, stop) => sum + (stop.delivered ?? 0), 0) };
}

/** One at a time; what goes wrong is said. */
function useChanges(run: Run | undefined, onDone: () => void) {
  const [failure, setFailure] = useState<string>();
  const change = async (make: (run: Run) => Promise<unknown>) => {
    if (run === undefined) return;
    try {
      await make(run);
      setFailure(undefined);
    } catch (error) {
      if (!isTrouble(error)) throw error;
      setFailure(detailOf(error));
    }
    onDone();
  };
  return { change, failure };
}

function edited(
  run: Run,
  place: number,
  edit: { planned?: number; by?: number } | undefined,
): RunInput['stops'] {
  const stops = run.stops.map(({ tank_id, planned }) => ({ tank_id, planned }));
  const [one] = stops.splice(place, 1);
  if (edit === undefined || one === undefined) return stops;
  stops.splice(Math.max(0, place + (edit.by ?? 0)), 0, { ...one, planned: edit.planned ?? one.planned });
  return stops;
}

function Load({ run }: { readonly run: Run }) {
  const { capacity, capacity_unit: unit, planned, delivered, distance_km: distance, discrepancies } = run;
  const [text, tooMuch] = loadOf(run);
  const over = tooMuch === false ? undefined : 'over';
  return (
    <section class="run-load" aria-label={words.runs.load}>
      <p class={over}>
        <strong>{text}</strong> {tooMuch}
      </p>
      {capacity !== null && (
        <progress max={1} value={Math.min(1, planned / capacity)} aria-label={text} class={over} />
      )}
      <p class="second">
        {[
          words.runs.status[run.status],
          words.runs.stopsDone(
            run.stop_count - run.stops.filter(({ status }) => status === 'open').length,
            run.stop_count,
          ),
          words.runs.wasDelivered(volume(delivered, unit)),
          distance === null || distance === 0 ? '' : words.runs.km(distance),
          discrepancies === 0 ? '' : words.runs.discrepancies(count(discrepancies)),
        ]
          .filter((part) => part !== '')
          .join(' · ')}
      </p>
    </section>
  );
}
