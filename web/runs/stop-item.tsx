// One stop: where it is and whom to call, what is planned, and what the driver enters. On a phone it is a card that a thumb can use.
import { useState } from 'preact/hooks';
import type { Run, Stop, StopPatch } from 'tank-monitoring-client';
import { Editor } from '../form/editor.js';
import { Field, type Fields } from '../form/field.js';
import { Input, useTypedOver } from '../form/inputs.js';
import { meaningsOf, numberAsText } from '../form/numbers.js';
import { useForm } from '../form/use-form.js';
import { addressLines, percent, volume } from '../format.js';
import { usePage } from '../page.js';
import { Button } from '../parts/button.js';
import { DialogButton } from '../parts/dialog.js';
import { Icon } from '../parts/icons.js';
import { Link } from '../parts/link.js';
import { Phone } from '../parts/text.js';
import { enter } from './entries.js';
import { outcomeOf } from './run-words.js';
import { words } from '../words/words.js';

interface Props {
  readonly run: Run;
  readonly stop: Stop;
  readonly place: number;
  /** Whether something was entered that is not sent yet. */
  readonly isWaiting: boolean;
  readonly mayChange: boolean;
  /** While the list is edited: another amount, another place, or none (undefined). */
  readonly onEdit?: ((change: { planned?: number; by?: number } | undefined) => void) | undefined;
}

export function StopItem({ run, stop, place, isWaiting, mayChange, onEdit }: Props) {
  const { route } = usePage();
  const { tank_id: id, tank, planned, status, note, measured } = stop;
  const unit = run.capacity_unit;
  const name = tank?.name ?? words.runs.tankGone;
  const isDone = status === 'delivered';
  return (
    <li class={`stop stop-${status}`}>
      <div class="stop-what">
        <h2>
          <span class="stop-place">{place}</span>{' '}
          {tank === null ? name : <Link to={{ ...route, tank: id }}>{name}</Link>}
        </h2>
        <p>
          {tank?.owner_name ?? words.ownerDeleted}
          {tank?.fill_percentage != null && ` · ${percent(tank.fill_percentage)}`}
        </p>
        {tank !== null && <p class="second">{addressLines(tank.location).join(', ') || words.noAddress}</p>}
        {note !== null && <p class="stop-note">{note}</p>}
      </div>
      <div class="stop-how">
        {onEdit !== undefined && status === 'open' ? (
          <EditedAmount name={name} planned={planned} onEdit={onEdit} />
        ) : (
          <strong>{volume(planned, unit)}</strong>
        )}
        <p class={measured?.discrepancy === true ? 'over' : 'second'}>
          {measured?.discrepancy === true ? <Icon name="warning" /> : isDone && <Icon name="ok" />}{' '}
          {outcomeOf(stop, unit)}
          {isWaiting && ` · ${words.runs.notSent}`}
        </p>
      </div>
      <div class="actions stop-actions">
        {tank !== null && (
          <a class="button" href={wayTo(tank.location)} target="_blank" rel="noreferrer">
            <Icon name="way" />
            {words.tank.directions}
            <span class="for-ears"> {name}</span>
          </a>
        )}
        {tank?.phone != null && (
          <Phone number={tank.phone} class="button">
            <Icon name="call" />
            <span class="at-desk">{tank.phone}</span>
            <span class="on-phone">{words.runs.call}</span>
          </Phone>
        )}
        {mayChange && onEdit === undefined && <Entering run={run} stop={stop} name={name} />}
      </div>
    </li>
  );
}

const FIELDS = {
  delivered: { label: words.runs.howMuch(words.form.units.liters), inputMode: 'decimal', isRequired: true },
  note: { label: words.fields.note, lines: 2 },
} as const satisfies Fields<string>;

interface EnteringProps {
  readonly run: Run;
  readonly stop: Stop;
  readonly name: string;
}

function Entering({ run, stop, name }: EnteringProps) {
  const { status } = stop;
  return (
    <DialogButton
      class={status === 'open' ? 'main-action' : undefined}
      label={
        <>
          {status === 'open' ? words.runs.deliver : words.runs.correct}
          <span class="for-ears"> {name}</span>
        </>
      }
      title={name}
    >
      {(close) => <Entered run={run} stop={stop} name={name} close={close} />}
    </DialogButton>
  );
}

function Entered({ run, stop, name, close }: EnteringProps & { readonly close: () => void }) {
  const { tank_id: tank, status } = stop;
  const fields = {
    ...FIELDS,
    delivered: { ...FIELDS.delivered, label: words.runs.howMuch(words.form.units[run.capacity_unit]) },
  };
  const [opened] = useState({
    delivered: numberAsText(stop.delivered ?? stop.planned),
    note: stop.note ?? '',
  });
  const form = useForm({ fields, stored: opened, draft: undefined });
  const { values } = form.filled;
  const note = values.note.trim();
  const save = (done: StopPatch) => {
    const noted = note === opened.note ? {} : { note: note === '' ? null : note };
    enter({ run: run.id, tank, name, fields: { ...done, ...noted } });
    close();
  };
  const deliver = async () => {
    const [delivered] = meaningsOf(values.delivered, false);
    if (delivered !== undefined && delivered >= 0) save({ status: 'delivered', delivered });
    else form.setFaults({ delivered: { detail: words.form.noNumber } });
  };
  return (
    <Editor
      form={form}
      label={words.runs.deliver}
      onSave={deliver}
      cancel={close}
      removal={
        <>
          {status !== 'skipped' && (
            <Button onClick={() => save({ status: 'skipped' })}>{words.runs.skip}</Button>
          )}
          {status !== 'open' && <Button onClick={() => save({ status: 'open' })}>{words.runs.reopen}</Button>}
          <Button onClick={() => save({})}>{words.runs.noteOnly}</Button>
        </>
      }
    >
      <Field filled={form.filled} name="delivered" input={{ isSelected: true }} />
      <Field filled={form.filled} name="note" />
    </Editor>
  );
}

function EditedAmount({
  name,
  planned,
  onEdit,
}: {
  name: string;
  planned: number;
  onEdit: NonNullable<Props['onEdit']>;
}) {
  const { forget, ...typed } = useTypedOver(numberAsText(planned));
  const leave = () => {
    const [meant] = meaningsOf(typed.value, false);
    if (meant !== undefined && meant >= 0 && meant !== planned) onEdit({ planned: meant });
    forget();
  };
  return (
    <span class="stop-edit">
      <Input
        {...typed}
        aria-label={words.runs.amountFor(name)}
        inputMode="decimal"
        isSelected
        onBlur={leave}
        onKeyDown={({ key }) => key === 'Enter' && leave()}
      />
      <Button aria-label={words.runs.earlier(name)} onClick={() => onEdit({ by: -1 })}>
        ↑
      </Button>
      <Button aria-label={words.runs.later(name)} onClick={() => onEdit({ by: 1 })}>
        ↓
      </Button>
      <Button aria-label={words.runs.takeOut(name)} onClick={() => onEdit(undefined)}>
        ×
      </Button>
    </span>
  );
}

/** In the phone's own map; at a desk, a way on OpenStreetMap. */
function wayTo(location: NonNullable<Stop['tank']>['location']): string {
  const { latitude, longitude } = location;
  const place = latitude === null || longitude === null ? undefined : `${latitude},${longitude}`;
  const sought = encodeURIComponent(place ?? addressLines(location).join(', '));
  if (/iPhone|iPad/.test(navigator.userAgent)) return `https://maps.apple.com/?daddr=${sought}`;
  if (/Android/.test(navigator.userAgent)) return `geo:${place ?? '0,0'}?q=${sought}`;
  return place === undefined
    ? `https://www.openstreetmap.org/search?query=${sought}`
    : `https://www.openstreetmap.org/directions?to=${sought}`;
}
