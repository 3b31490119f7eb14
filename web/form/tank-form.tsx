// The view in which a tank is added, edited or deleted: opened as it is stored, for a key that may change it.
import { useEffect } from 'preact/hooks';
import { usePage } from '../page.js';
import { Confirm } from '../parts/confirm.js';
import { mayChangeTanks } from '../session.js';
import { ChangedMeanwhile } from './changed-meanwhile.js';
import { Editor } from './editor.js';
import { Field } from './field.js';
import { PANELS, type FieldName } from './fields.js';
import { FormFrame } from './form-frame.js';
import { open, type Opened } from './opened.js';
import { OwnerField } from './owner-field.js';
import { useEditing } from './use-editing.js';
import { words } from '../words/words.js';

export function TankForm() {
  const { client, me, route } = usePage();
  const titleOf = (opened: Opened | undefined) =>
    route.form === 'add' ? words.form.addTank : words.form.editTank(opened?.tank?.name);
  return (
    <FormFrame
      titleOf={titleOf}
      back={{ ...route, form: undefined }}
      behind={route.tank === undefined ? route.view : 'tank'}
      kind="tank"
      may={mayChangeTanks(me)}
      open={(signal) => open(client, route, me.customer_id ?? route.owner, signal)}
    >
      {(opened) => <TankEditor opened={opened} />}
    </FormFrame>
  );
}

function TankEditor({ opened }: { readonly opened: Opened }) {
  const { route } = usePage();
  const { form, base, differences, owners, meetOwner, save, remove } = useEditing(opened);
  const { filled } = form;
  useEffect(() => {
    if (route.form === 'device') document.getElementById('assigned_device_id')?.focus();
  }, []);
  const shown = (name: FieldName, value: string) =>
    value === '' ? words.nothing : name === 'owner_id' ? (owners[value] ?? value) : value;
  const fieldOf = (name: FieldName) => {
    if (name === 'assigned_device_id') {
      return <Field key={name} filled={filled} name={name} hint={deviceHint(base?.[name] ?? '')} />;
    }
    if (name !== 'owner_id') return <Field key={name} filled={filled} name={name} />;
    return <OwnerField key={name} filled={filled} owners={owners} onMet={meetOwner} />;
  };
  return (
    <Editor
      form={form}
      label={base !== undefined ? words.save : words.form.addTheTank}
      onSave={save}
      cancel={{ ...route, form: undefined }}
      meanwhile={differences && <ChangedMeanwhile differences={differences} filled={filled} shown={shown} />}
      removal={
        base && (
          <Confirm
            label={words.form.deleteTank}
            title={words.form.deleteWhat(base.name)}
            action={words.delete}
            onConfirm={() => void remove()}
          >
            {words.form.deleteTankNote}
          </Confirm>
        )
      }
    >
      {(Object.keys(PANELS) as (keyof typeof PANELS)[]).map((panel) => (
        <fieldset class="panel" key={panel}>
          <legend>{words.form.panels[panel]}</legend>
          {(Object.keys(PANELS[panel]) as FieldName[]).map(fieldOf)}
        </fieldset>
      ))}
    </Editor>
  );
}

function deviceHint(device: string): string {
  return device === '' ? words.form.deviceHintNew : words.form.deviceHint(device);
}
