// The form in which a tank is edited: its fields, what is wrong with them, and the ways to save, leave and delete.
import { useEffect, useRef } from 'preact/hooks';
import { Confirm } from '../parts/confirm.js';
import { Link } from '../parts/link.js';
import { mayAddCustomers } from '../session.js';
import { ChangedMeanwhile } from './changed-meanwhile.js';
import { FailureBanner } from './failure.js';
import { Field } from './field.js';
import { CHOICES, INPUT_MODES, PANELS, type FieldName } from './fields.js';
import { OwnerField } from './owner-field.js';
import { useEditing, type Editing } from './use-editing.js';

export function TankEditor(props: Editing) {
  const { client, ownKey, opened, route } = props;
  const { filled, base, isBusy, failure, differences, owners, meetOwner, save, remove } = useEditing(props);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus(), [failure]);
  useEffect(() => {
    if (route.form === 'device') document.getElementById('assigned_device_id')?.focus();
  }, []);
  const label = base !== undefined ? 'Save' : route.form === 'restore' ? 'Restore the tank' : 'Add the tank';
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    void save();
  };
  const shown = (name: FieldName, value: string) =>
    value === '' ? 'nothing' : name === 'owner_id' ? (owners[value] ?? value) : value;
  const hints: Partial<Record<FieldName, string>> = {
    custom_id: 'Your own number for it',
    min_fill_alert_percentage: '0: no alert',
    assigned_device_id: deviceHint(base?.assigned_device_id ?? ''),
  };
  const fieldOf = (name: FieldName) =>
    name === 'owner_id' ? (
      <OwnerField
        key={name}
        client={client}
        filled={filled}
        owners={owners}
        onMet={meetOwner}
        isFixed={ownKey.customer_id !== null}
        mayAdd={mayAddCustomers(ownKey)}
      />
    ) : (
      <Field
        key={name}
        filled={filled}
        name={name}
        hint={hints[name]}
        choices={CHOICES[name]}
        inputMode={INPUT_MODES[name]}
      />
    );
  return (
    <form class="editor" ref={form} noValidate onSubmit={submit}>
      {opened.known !== undefined && opened.known.name === undefined && (
        <p>What it was is not known here. Enter it anew: its readings are kept.</p>
      )}
      {Object.entries(PANELS).map(([legend, labels]) => (
        <fieldset class="panel" key={legend}>
          <legend>{legend}</legend>
          {(Object.keys(labels) as FieldName[]).map(fieldOf)}
        </fieldset>
      ))}
      {failure !== undefined && <FailureBanner failure={failure} />}
      {differences !== undefined && (
        <ChangedMeanwhile differences={differences} filled={filled} shown={shown} />
      )}
      <div class="actions">
        <button type="submit" class="main-action">
          {isBusy ? 'Saving…' : label}
        </button>
        <Link to={{ ...route, form: undefined }} class="button">
          Cancel
        </Link>
        {base !== undefined && (
          <Confirm
            label="Delete this tank…"
            title={`Delete ${base.name}?`}
            action="Delete"
            onConfirm={() => void remove()}
          >
            It leaves the fleet, and its device is free for another tank. Its readings are kept, and it can be
            restored.
          </Confirm>
        )}
      </div>
    </form>
  );
}

function deviceHint(device: string): string {
  return device === ''
    ? 'The id that the device sends. Leave it empty while there is none.'
    : `To swap the device, enter the id of the new one; ${device} is free then. Empty: no device.`;
}
