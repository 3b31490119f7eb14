// The day, the truck and what it holds: of a new run, whose stops were chosen or are suggested, or of one that is there.
import { useState } from 'preact/hooks';
import type { Run, RunInput, TankMonitoring } from 'tank-monitoring-client';
import { now } from '../api/clock.js';
import { dateOf } from '../calendar.js';
import { Editor } from '../form/editor.js';
import { Field, type Fields } from '../form/field.js';
import { meaningsOf, numberAsText, wrongNumber } from '../form/numbers.js';
import { useForm } from '../form/use-form.js';
import { DAY, searchable, type Unit } from '../format.js';
import { DialogButton } from '../parts/dialog.js';
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

const FIELDS = {
  date: { label: words.fields.date, isRequired: true, type: 'date' },
  where: { label: words.runs.where, hint: words.runs.whereHint },
  name: { label: words.runs.truck },
  capacity: { label: words.runs.holds, inputMode: 'decimal' },
  capacity_unit: { label: words.fields.capacity_unit, choices: Object.entries(words.form.units) },
} as const satisfies Fields<string>;

export function RunDialog({ label, isMain = false, title, ...more }: Props) {
  return (
    <DialogButton class={isMain ? 'main-action' : undefined} label={label} title={title}>
      {(close) => <RunForm {...more} close={close} />}
    </DialogButton>
  );
}

type FormProps = Omit<Props, 'label' | 'isMain' | 'title'> & { readonly close: () => void };

function RunForm({ action, asksWhere = false, run, capacity, unit = 'liters', onSave, close }: FormProps) {
  const [said, setSaid] = useState('');
  const held = run?.capacity ?? capacity;
  const form = useForm({
    fields: FIELDS,
    stored: {
      date: run?.date ?? dateOf(now() + DAY),
      where: '',
      name: run?.name ?? '',
      capacity: held == null ? '' : numberAsText(held),
      capacity_unit: run?.capacity_unit ?? unit,
    },
    draft: undefined,
  });
  const { filled } = form;
  const save = async () => {
    const { values } = filled;
    const wrong = wrongNumber(values.capacity, form.settled.capacity);
    setSaid('');
    form.setFaults(wrong === undefined ? {} : { capacity: wrong });
    if (wrong !== undefined) return;
    const wanted = {
      date: values.date,
      name: values.name.trim() || null,
      capacity: meaningsOf(values.capacity)[0] ?? null,
      unit: values.capacity_unit as Unit,
      where: values.where.trim() || undefined,
    };
    await form.send(async () => {
      const told = await onSave(wanted);
      if (told === undefined) close();
      else setSaid(told);
    });
  };
  return (
    <Editor
      form={form}
      label={action}
      onSave={save}
      cancel={close}
      meanwhile={
        <p role="alert" class="fault">
          {said}
        </p>
      }
    >
      <Field filled={filled} name="date" />
      {asksWhere && <Field filled={filled} name="where" input={{ placeholder: words.runs.everywhere }} />}
      <Field filled={filled} name="name" />
      <Field filled={filled} name="capacity" />
      {run === undefined && <Field filled={filled} name="capacity_unit" />}
    </Editor>
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
