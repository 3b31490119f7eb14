// The API keys: those there are, ways to roll and revoke each, and a form for another one. A secret is shown once.
import { useState } from 'preact/hooks';
import type { ApiKey } from 'tank-monitoring-client';
import { FailureBanner, useAttempt } from '../form/attempts.js';
import { CustomerField } from '../form/customer-field.js';
import { Editor } from '../form/editor.js';
import { Field } from '../form/field.js';
import { useForm } from '../form/use-form.js';
import { exactTime } from '../format.js';
import { CustomerName } from '../customers/customer-name.js';
import { usePage } from '../page.js';
import { Confirm } from '../parts/confirm.js';
import { Listing, pageOf } from '../parts/listing.js';
import { Ago, useNow } from '../parts/when.js';
import { mayWrite } from '../session.js';
import { NOT_IN_FEED, useFresh } from '../use-fresh.js';
import { SecretOnce } from './secret-once.js';
import { words } from '../words/words.js';

const { columns } = words.keys;
const { fields } = words;

export function KeyList() {
  const { client, route } = usePage();
  const now = useNow(30_000);
  const [secret, setSecret] = useState<string>();
  const asked = pageOf(route);
  const fresh = useFresh(['keys', asked], (signal) => client.keys.page(asked, { signal }), NOT_IN_FEED);
  const { trouble, attempt } = useAttempt();
  const done = (made?: string) => {
    setSecret(made);
    fresh.retry();
  };
  const ways = {
    roll: async ({ prefix }: ApiKey) => done((await client.keys.roll(prefix)).secret),
    revoke: async ({ prefix }: ApiKey) => {
      await client.keys.revoke(prefix);
      done();
    },
  };
  const waysToChange = (key: ApiKey) =>
    mayWrite &&
    !isOver(key, now) && (
      <div class="actions">
        {(['roll', 'revoke'] as const).map((way) => (
          <Confirm
            key={way}
            label={words.keys[way]}
            title={words.keys[`${way}What`](key.name)}
            action={words.keys[`${way}Do`]}
            onConfirm={() => void attempt(() => ways[way](key))}
          >
            {words.keys[`${way}Note`]}
          </Confirm>
        ))}
      </div>
    );
  return (
    <Listing
      fresh={fresh}
      name="keys"
      title={words.settings.parts.keys}
      isPart
      said={words.keys.count}
      above={
        <>
          <FailureBanner trouble={trouble} />
          {secret !== undefined && <SecretOnce secret={secret} of={words.keys} />}
        </>
      }
      row={({ prefix }) => ({ key: prefix })}
      columns={[
        [columns.name, '24%', ({ name, prefix }) => [name, <code key={prefix}>{prefix}</code>]],
        [fields.scopes, '24%', ({ scopes }) => scopes.join(', ')],
        [words.forWhom, '14%', ({ customer_id: id }) => <CustomerName id={id} />],
        [columns.used, '18%', (key) => [lastUse(key), stateOf(key, now)]],
        [columns.change, '20%', waysToChange],
      ]}
    >
      {mayWrite && <AddKey onMade={done} />}
    </Listing>
  );
}

const lastUse = ({ last_used_at: at }: ApiKey) => (at === null ? words.keys.neverUsed : <Ago at={at} />);

const isOver = ({ revoked_at: revoked, expires_at: end }: ApiKey, now: number): boolean =>
  revoked !== null || (end !== null && Date.parse(end) <= now);

function stateOf(key: ApiKey, now: number): string {
  if (key.revoked_at !== null) return words.keys.revoked;
  if (isOver(key, now)) return words.keys.expired;
  return key.expires_at === null ? '' : words.keys.until(exactTime(Date.parse(key.expires_at)));
}

const FIELDS = {
  name: { label: fields.name, isRequired: true, hint: words.keys.nameHint },
  scopes: { label: fields.scopes, isSeveral: true },
  customer_id: { label: fields.customer_id, hint: words.keys.customerHint },
  expires_at: { label: fields.expires_at, hint: words.keys.endHint, type: 'datetime-local' },
} as const;
const EMPTY = { name: '', scopes: 'read', customer_id: '', expires_at: '' };

function AddKey({ onMade }: { readonly onMade: (secret: string) => void }) {
  const { client, me } = usePage();
  const form = useForm({ fields: FIELDS, stored: EMPTY, draft: 'key' });
  const { filled } = form;
  const add = () =>
    form.send(async () => {
      const { name, scopes, customer_id, expires_at } = filled.values;
      const made = await client.keys.create({
        name: name.trim(),
        scopes: me.scopes.filter((scope) => scopes.split(' ').includes(scope)),
        ...(customer_id !== '' && { customer_id }),
        ...(expires_at !== '' && { expires_at: new Date(expires_at).toISOString() }),
      });
      form.restart(EMPTY);
      onMade(made.secret);
    });
  const scopes = me.scopes.map((scope) => [scope, words.settings.scopes[scope]] as const);
  return (
    <Editor form={form} label={words.keys.addDo} busy={words.settings.adding} onSave={add}>
      <fieldset class="panel">
        <legend>{words.keys.add}</legend>
        <Field filled={filled} name="name" />
        <Field filled={filled} name="scopes" choices={scopes} />
        {me.customer_id === null && <CustomerField filled={filled} name="customer_id" />}
        <Field filled={filled} name="expires_at" />
      </fieldset>
    </Editor>
  );
}
