// The day, the truck and what it holds: of a new run, whose stops were chosen or are suggested, or of one that is there.
import { useRef, useState } from 'preact/hooks';
import type { Run, RunInput, TankMonitoring } from 'tank-monitoring-client';
import { now } from '../api/clock.js';
import { detailOf } from '../api/troubles.js';
import { dateOf } from '../calendar.js';
import { useAttempt } from '../form/attempts.js';
import { meaningsOf, numberAsText } from '../form/numbers.js';
import { DAY, searchable, type Unit } from '../format.js';
import { Button } from '../parts/button.js';
import { words } from '../words/words.js';

export interface Wanted {
  readonly date: string;
  readonly name: string | null;
  readonly capacity: number | null;
  readonly unit: Unit;
  /** Which tanks, by what a search finds; undefined: all. */
  readonly where?: string | undefined;
}

interface Props {
  readonly label: string;
  readonly title: string;
  readonly action: string;
  readonly isMain?: boolean;
  /** Whether the tanks are chosen by a search. */
  readonly asksWhere?: boolean;
  /** What is there already. */
  readonly run?: Pick<Run, 'date' | 'name' | 'capacity' | 'capacity_unit'>;
  readonly capacity?: number | undefined;
  readonly unit?: Unit;
  /** Throws what goes wrong; a text says what else is to be known. */
  readonly onSave: (wanted: Wanted) => Promise<string | undefined>;
}

export function RunDialog({
  label,
  title,
  action,
  isMain = false,
  asksWhere = false,
  run,
  capacity,
  unit = 'liters',
  onSave,
}: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [said, setSaid] = useState('');
  const { isBusy, trouble, attempt } = useAttempt();
  const held = run?.capacity ?? capacity;
  const save = (event: SubmitEvent) => {
    event.preventDefault();
    const { elements } = event.currentTarget as HTMLFormElement;
    const text = (name: string) => (elements.namedItem(name) as HTMLInputElement | null)?.value.trim() ?? '';
    const [capacityMeant = null] = meaningsOf(text('capacity'));
    const chosen = run?.capacity_unit ?? (text('unit') as Unit);
    const wanted = {
      date: text('date'),
      name: text('name') || null,
      capacity: capacityMeant,
      unit: chosen,
      where: text('where') || undefined,
    };
    void attempt(async () => {
      const told = await onSave(wanted);
      setSaid(told ?? '');
      if (told === undefined) dialog.current?.close();
    });
  };
  return (
    <>
      <Button class={isMain ? 'main-action' : undefined} onClick={() => dialog.current?.showModal()}>
        {label}
      </Button>
      <dialog ref={dialog} aria-label={title}>
        <form class="editor" onSubmit={save}>
          <h2>{title}</h2>
          <label class="field">
            {words.fields.date}
            <input type="date" name="date" required value={run?.date ?? dateOf(now() + DAY)} />
          </label>
          {asksWhere && (
            <label class="field">
              {words.runs.where}
              <input name="where" autoComplete="off" placeholder={words.runs.everywhere} />
              <span class="second">{words.runs.whereHint}</span>
            </label>
          )}
          <label class="field">
            {words.runs.truck}
            <input name="name" maxLength={255} autoComplete="off" value={run?.name ?? ''} />
          </label>
          <label class="field">
            {words.runs.holds}
            <input
              name="capacity"
              inputMode="decimal"
              autoComplete="off"
              value={held == null ? '' : numberAsText(held)}
            />
          </label>
          {run === undefined && (
            <label class="field">
              {words.fields.capacity_unit}
              <select name="unit" value={unit}>
                <option value="liters">{words.form.units.liters}</option>
                <option value="gallons">{words.form.units.gallons}</option>
              </select>
            </label>
          )}
          <p role="alert" class="fault">
            {trouble === undefined ? said : detailOf(trouble)}
          </p>
          <div class="actions">
            <button type="submit" class="main-action" disabled={isBusy}>
              {isBusy ? words.saving : action}
            </button>
            <Button onClick={() => dialog.current?.close()}>{words.cancel}</Button>
          </div>
        </form>
      </dialog>
    </>
  );
}

/** As the API takes it. */
export function asRun({ date, name, capacity, unit }: Wanted, stops: RunInput['stops']): RunInput {
  return { date, name, capacity, capacity_unit: unit, stops };
}

/** Fills a truck with who is due. Returns what to say if nobody is: a search that nothing matches is named. */
export async function suggested(
  client: TankMonitoring,
  { date, capacity, unit, name, where }: Wanted,
  fillTo: number,
): Promise<{ readonly run: Run; readonly leftOut: number } | string> {
  const q = where === undefined ? undefined : searchable(where);
  const found = await client.runs.suggest({
    date,
    capacity,
    capacity_unit: unit,
    fill_to: fillTo,
    ...(q !== undefined && { q }),
  });
  if (found.stops.length === 0 && (q === undefined || found.left_out_total > 0)) return words.runs.nobodyDue;
  if (found.stops.length === 0) {
    const [{ tanks }, all] = await Promise.all([
      client.fleet.get({ q }),
      client.runs.suggest({ date, fill_to: fillTo }),
    ]);
    const due = all.left_out_total + all.stops.filter(({ reason }) => reason !== 'nearby').length;
    return `${words.list.noneDueOf(q, tanks, due)}.`;
  }
  // Whole ones, as a driver enters them, and never more than the truck holds.
  const stops = found.stops.map((stop) => ({ ...stop, planned: Math.floor(stop.planned) }));
  const run = await client.runs.create(asRun({ date, name, capacity, unit }, stops));
  return { run, leftOut: found.left_out_total };
}
