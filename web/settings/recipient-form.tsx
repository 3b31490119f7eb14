// The form of a recipient: of a new one, or of one that is there.
import { useState } from 'preact/hooks';
import type { Customer, Recipient } from 'tank-monitoring-client';
import { CustomerField } from '../form/customer-field.js';
import { Editor } from '../form/editor.js';
import { Field } from '../form/field.js';
import { changedIn } from '../form/merge.js';
import { useForm } from '../form/use-form.js';
import { LANGUAGE } from '../format.js';
import { usePage } from '../page.js';
import { EVENT_TYPES } from '../route.js';
import { words } from '../words/words.js';

const { fields } = words;
const FIELDS = {
  email: { label: fields.email, isRequired: true, hint: words.recipients.emailHint, type: 'email' },
  name: { label: fields.name },
  owner_id: { label: fields.customer_id, hint: words.recipients.ownerHint },
  events: {
    label: fields.events,
    isSeveral: true,
    choices: EVENT_TYPES.map((type) => [type, words.recipients.events[type]] as const),
  },
  daily_at: { label: fields.daily_at, hint: words.recipients.dailyHint, type: 'time' },
  time_zone: { label: fields.time_zone },
  language: { label: fields.language, choices: Object.entries(words.recipients.languages) },
} as const;

function valuesOf(recipient: Recipient | undefined, owner: Customer | undefined) {
  return {
    email: recipient?.email ?? owner?.email ?? '',
    name: recipient?.name ?? '',
    owner_id: '',
    events: (recipient?.events ?? ['tank.low', 'tank.silent']).join(' '),
    daily_at: recipient?.daily_at ?? '',
    time_zone: recipient?.time_zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
    language: recipient?.language ?? LANGUAGE,
  };
}

/** With the one that the recipient has, which may be an old name. */
const zonesWith = (zone: string) =>
  [...new Set([zone, 'UTC', ...Intl.supportedValuesOf('timeZone')])].map((one) => [one, one] as const);

interface Props {
  /** Undefined: a new one. */
  readonly recipient?: Recipient;
  readonly owner?: Customer | undefined;
  /** It is known which customer's tanks it is about. */
  readonly isAboutOne: boolean;
  readonly onSaved: () => void;
  readonly onCancel?: () => void;
}

export function RecipientForm({ recipient, owner, isAboutOne, onSaved, onCancel }: Props) {
  const { client } = usePage();
  const [stored] = useState(() => valuesOf(recipient, owner));
  const draft = recipient === undefined ? `recipient of ${owner?.id ?? 'all'}` : `recipient ${recipient.id}`;
  const form = useForm({ fields: FIELDS, stored, draft });
  const { filled } = form;
  const { values } = filled;
  const body = {
    email: values.email.trim(),
    name: values.name || null,
    events: EVENT_TYPES.filter((type) => values.events.split(' ').includes(type)),
    daily_at: values.daily_at || null,
    time_zone: values.time_zone,
    language: values.language as Recipient['language'],
  };
  const add = async () => {
    const owner_id = owner?.id ?? values.owner_id;
    await client.recipients.create({ ...body, ...(owner_id !== '' && { owner_id }) });
    form.restart({ ...stored, email: '', name: '' });
  };
  /** Only what was changed: somebody else may have changed the rest. */
  const edit = async (id: string) => {
    const changed: readonly string[] = changedIn(values, stored);
    await client.recipients.patch(
      id,
      Object.fromEntries(Object.entries(body).filter(([field]) => changed.includes(field))),
    );
    form.drop();
  };
  const save = () =>
    form.send(async () => {
      await (recipient === undefined ? add() : edit(recipient.id));
      onSaved();
    });
  const cancel = () => {
    form.drop();
    onCancel?.();
  };
  const isNew = recipient === undefined;
  return (
    <Editor
      form={form}
      label={isNew ? words.recipients.addThis : words.save}
      busy={isNew ? words.settings.adding : words.saving}
      onSave={save}
      cancel={onCancel && cancel}
    >
      <fieldset class="panel">
        <legend>{isNew ? words.recipients.add : words.recipients.edit}</legend>
        <Field filled={filled} name="email" />
        <Field filled={filled} name="name" />
        {!isAboutOne && <CustomerField filled={filled} name="owner_id" />}
        <Field filled={filled} name="events" />
        <Field filled={filled} name="daily_at" />
        {!isNew && <Field filled={filled} name="time_zone" choices={zonesWith(recipient.time_zone)} />}
        {!isNew && <Field filled={filled} name="language" />}
      </fieldset>
    </Editor>
  );
}
