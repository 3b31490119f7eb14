// The form in which a tank is edited: its fields, and the ways to save, leave and delete.
import { useEffect } from 'preact/hooks';
import { Confirm } from '../parts/confirm.js';
import { ChangedMeanwhile } from './changed-meanwhile.js';
import { Editor } from './editor.js';
import { Field } from './field.js';
import { PANELS, type FieldName } from './fields.js';
import { OwnerField } from './owner-field.js';
import { useEditing, type Editing } from './use-editing.js';

export function TankEditor(props: Editing) {
  const { client, ownKey, opened, route } = props;
  const { form, base, differences, owners, meetOwner, save, remove } = useEditing(props);
  const { filled } = form;
  useEffect(() => {
    if (route.form === 'device') document.getElementById('assigned_device_id')?.focus();
  }, []);
  const shown = (name: FieldName, value: string) =>
    value === '' ? 'nothing' : name === 'owner_id' ? (owners[value] ?? value) : value;
  const fieldOf = (name: FieldName) => {
    if (name === 'assigned_device_id') {
      return <Field key={name} filled={filled} name={name} hint={deviceHint(base?.[name] ?? '')} />;
    }
    if (name !== 'owner_id') return <Field key={name} filled={filled} name={name} />;
    return (
      <OwnerField
        key={name}
        client={client}
        ownKey={ownKey}
        filled={filled}
        owners={owners}
        onMet={meetOwner}
      />
    );
  };
  return (
    <Editor
      form={form}
      label={base !== undefined ? 'Save' : route.form === 'restore' ? 'Restore the tank' : 'Add the tank'}
      onSave={save}
      cancel={{ ...route, form: undefined }}
      meanwhile={differences && <ChangedMeanwhile differences={differences} filled={filled} shown={shown} />}
      removal={
        base && (
          <Confirm
            label="Delete this tank…"
            title={`Delete ${base.name}?`}
            action="Delete"
            onConfirm={() => void remove()}
          >
            It leaves the fleet, and its device is free for another tank. Its readings are kept, and it can be
            restored: with Undo right after, or later under Settings, Activity.
          </Confirm>
        )
      }
    >
      {opened.known !== undefined && opened.known.name === undefined && (
        <p>What it was is not known here. Enter it anew: its readings are kept.</p>
      )}
      {Object.entries(PANELS).map(([legend, fields]) => (
        <fieldset class="panel" key={legend}>
          <legend>{legend}</legend>
          {(Object.keys(fields) as FieldName[]).map(fieldOf)}
        </fieldset>
      ))}
    </Editor>
  );
}

function deviceHint(device: string): string {
  return device === ''
    ? 'The id that the device sends. Leave it empty while there is none.'
    : `To swap the device, enter the id of the new one; ${device} is free then. Empty: no device.`;
}
