// The view in which a tank is added, edited or deleted: opened as it is stored, for a key that may change it.
import { useEffect, useRef } from 'preact/hooks';
import { usePage } from '../page.js';
import { Confirm } from '../parts/confirm.js';
import { Icon } from '../parts/icons.js';
import { mayChangeTanks } from '../session.js';
import { OwnerField } from './customer-field.js';
import { Editor, FormFrame } from './editor.js';
import { Field, type Filled } from './field.js';
import { PANELS, type FieldName } from './fields.js';
import { Tickable } from './inputs.js';
import type { Difference } from './merge.js';
import { open, type Opened } from './opened.js';
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

interface ChangedProps {
  readonly differences: readonly Difference[];
  readonly filled: Filled;
  readonly shown: (name: FieldName, value: string) => string;
}

/** Somebody else saved the tank while it was being edited: both values of every field that differs, and which of them to keep. */
function ChangedMeanwhile({ differences, filled, shown }: ChangedProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    heading.current?.focus({ preventScroll: true });
    heading.current?.scrollIntoView();
  }, [differences]);
  return (
    <section class="trouble changed" aria-labelledby="changed">
      <Icon name="warning" />
      <div>
        <h2 id="changed" ref={heading} tabIndex={-1}>
          {words.form.meanwhile}
        </h2>
        <p>
          {words.form.meanwhileWhy}{' '}
          {differences.length === 0 ? words.form.meanwhileLook : words.form.meanwhileChoose}
        </p>
        {differences.map(({ name, yours, stored }) => (
          <fieldset key={name}>
            <legend>{filled.fields[name].label}</legend>
            {Object.entries({ [words.form.yours]: yours, [words.form.stored]: stored }).map(
              ([label, value]) => (
                <label key={label} class="choice">
                  <Tickable
                    type="radio"
                    name={`keep ${name}`}
                    checked={filled.values[name] === value}
                    onChange={() => filled.set(name, value)}
                  />
                  <span>
                    {label}: <strong>{shown(name, value)}</strong>
                  </span>
                </label>
              ),
            )}
          </fieldset>
        ))}
      </div>
    </section>
  );
}
