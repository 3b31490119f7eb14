// The API keys: those there are, ways to roll and revoke each, and a form for another one. A secret is shown once.
import { useState } from 'preact/hooks';
import type { ApiKey, Me } from 'tank-monitoring-client';
import { useAttempt } from '../form/attempts.js';
import { FailureBanner } from '../form/failure.js';
import { Field } from '../form/field.js';
import { useForm } from '../form/use-form.js';
import { Summary } from '../list/summary.js';
import { AsOf } from '../parts/as-of.js';
import { Confirm } from '../parts/confirm.js';
import { Table } from '../parts/table.js';
import { TroubleBanner } from '../parts/trouble.js';
import { TwoLines } from '../parts/two-lines.js';
import type { ViewProps } from '../parts/view-props.js';
import { Ago } from '../parts/when.js';
import { exactTime } from '../format.js';
import { mayWrite } from '../session.js';
import { NOT_IN_FEED, useFresh } from '../use-fresh.js';
import { SecretOnce } from './secret-once.js';
import { words } from '../words/words.js';

const PAGE_SIZE = 50;
const { columns, fields } = words.keys;
const COLUMNS = {
  [columns.name]: '24%',
  [columns.may]: '24%',
  [columns.for]: '14%',
  [columns.used]: '18%',
  [columns.change]: '20%',
};

interface Props extends ViewProps {
  readonly me: Me;
}

export function KeyList({ client, me, route }: Props) {
  const { page } = route;
  const [secret, setSecret] = useState<string>();
  const fresh = useFresh(
    ['keys', page],
    (signal) => client.keys.page({ page, size: PAGE_SIZE }, { signal }),
    NOT_IN_FEED,
  );
  const { data: list } = fresh;
  const { trouble, attempt } = useAttempt();
  const done = (made?: string) => {
    setSecret(made);
    fresh.retry();
  };
  const roll = ({ prefix }: ApiKey) => attempt(async () => done((await client.keys.roll(prefix)).secret));
  const revoke = ({ prefix }: ApiKey) =>
    attempt(async () => {
      await client.keys.revoke(prefix);
      done();
    });
  return (
    <section class="results" aria-labelledby="keys">
      <header class="view-head">
        <h2 id="keys">{words.settings.parts.keys}</h2>
        <AsOf fresh={fresh} />
      </header>
      <TroubleBanner of={[fresh]} />
      <FailureBanner trouble={trouble} />
      {secret !== undefined && <SecretOnce secret={secret} of={words.keys} />}
      <Summary
        list={list}
        said={list && words.newestFirst(words.keys.count(list.total_items))}
        route={route}
      />
      <Table name="keys" caption={words.settings.parts.keys} columns={COLUMNS} items={list?.data}>
        {(key, now) => (
          <tr key={key.prefix}>
            <th scope="row">
              <TwoLines first={key.name} second={<code>{key.prefix}</code>} />
            </th>
            <td>{key.scopes.join(', ')}</td>
            <td>{key.customer_id ?? words.settings.allCustomers}</td>
            <td>
              <TwoLines
                first={
                  key.last_used_at === null ? words.keys.neverUsed : <Ago at={key.last_used_at} now={now} />
                }
                second={stateOf(key, now)}
              />
            </td>
            <td class="above-row">
              {mayWrite && !isOver(key, now) && (
                <div class="actions">
                  <Confirm
                    label={words.keys.roll}
                    title={words.keys.rollWhat(key.name)}
                    action={words.keys.rollDo}
                    onConfirm={() => void roll(key)}
                  >
                    {words.keys.rollNote}
                  </Confirm>
                  <Confirm
                    label={words.keys.revoke}
                    title={words.keys.revokeWhat(key.name)}
                    action={words.keys.revokeDo}
                    onConfirm={() => void revoke(key)}
                  >
                    {words.keys.revokeNote}
                  </Confirm>
                </div>
              )}
            </td>
          </tr>
        )}
      </Table>
      {mayWrite && <AddKey client={client} me={me} onMade={done} />}
    </section>
  );
}

const isOver = ({ revoked_at: revoked, expires_at: end }: ApiKey, now: number): boolean =>
  revoked !== null || (end !== null && Date.parse(end) <= now);

function stateOf(key: ApiKey, now: number): string {
  if (key.revoked_at !== null) return words.keys.revoked;
  if (isOver(key, now)) return words.keys.expired;
  return key.expires_at === null ? '' : words.keys.until(exactTime(Date.parse(key.expires_at)));
}

const FIELDS = {
  name: { label: fields.name, isRequired: true, hint: words.keys.nameHint },
  scopes: { label: words.settings.may },
  customer_id: { label: words.settings.endpointFields.customer_id, hint: words.keys.customerHint },
  expires_at: { label: fields.expires_at, hint: words.keys.endHint },
};
const EMPTY = { name: '', scopes: 'read', customer_id: '', expires_at: '' };

interface AddProps extends Omit<Props, 'route'> {
  readonly onMade: (secret: string) => void;
}

function AddKey({ client, me, onMade }: AddProps) {
  const form = useForm({ fields: FIELDS, stored: EMPTY, draft: 'key' });
  const { filled } = form;
  const scopes = me.scopes.filter((scope) => filled.values.scopes.split(' ').includes(scope));
  const add = (event: SubmitEvent) => {
    event.preventDefault();
    const { name, customer_id, expires_at } = filled.values;
    void form.send(async () => {
      const made = await client.keys.create({
        name: name.trim(),
        scopes,
        ...(customer_id !== '' && { customer_id }),
        ...(expires_at !== '' && { expires_at: new Date(expires_at).toISOString() }),
      });
      form.setValues(EMPTY);
      onMade(made.secret);
    });
  };
  const toggle = (scope: (typeof scopes)[number]) =>
    filled.set('scopes', me.scopes.filter((one) => scopes.includes(one) !== (one === scope)).join(' '));
  return (
    <form class="editor" noValidate onSubmit={add}>
      <fieldset class="panel">
        <legend>{words.keys.add}</legend>
        <Field filled={filled} name="name" />
        <fieldset class="field choices">
          <legend>{FIELDS.scopes.label}</legend>
          {me.scopes.map((scope) => (
            <label key={scope} class="choice">
              <input type="checkbox" checked={scopes.includes(scope)} onChange={() => toggle(scope)} />
              {words.settings.scopes[scope]}
            </label>
          ))}
        </fieldset>
        {me.customer_id === null && <Field filled={filled} name="customer_id" />}
        <Field filled={filled} name="expires_at" input={{ type: 'datetime-local' }} />
      </fieldset>
      <FailureBanner trouble={form.trouble} wrong={form.wrong} />
      <div class="actions">
        <button type="submit" class="main-action">
          {form.isBusy ? words.settings.adding : words.keys.addDo}
        </button>
      </div>
    </form>
  );
}
