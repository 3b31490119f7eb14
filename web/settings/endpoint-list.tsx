// The webhook endpoints: those there are, and a form for another one. Its secret is shown once.
import { useState } from 'preact/hooks';
import type { EventType, Key } from 'tank-monitoring-client';
import { FailureBanner } from '../form/failure.js';
import { Field } from '../form/field.js';
import { useForm } from '../form/use-form.js';
import { Summary } from '../list/summary.js';
import { AsOf } from '../parts/as-of.js';
import { Link } from '../parts/link.js';
import { Table } from '../parts/table.js';
import { Instead, TroubleBanner } from '../parts/trouble.js';
import type { ViewProps } from '../parts/view-props.js';
import { TwoLines } from '../parts/two-lines.js';
import { EVENT_TYPES } from '../route.js';
import { mayWrite } from '../session.js';
import { NOT_IN_FEED, useFresh } from '../use-fresh.js';
import { capitalised, counted } from '../words.js';
import { SecretOnce } from './secret-once.js';
import { typesInWords } from './words.js';

const PAGE_SIZE = 50;

interface Props extends ViewProps {
  readonly ownKey: Key;
}

export function EndpointList({ client, ownKey, route }: Props) {
  const { page } = route;
  const fresh = useFresh(
    `endpoints ${page}`,
    (signal) => client.webhookEndpoints.page({ page, size: PAGE_SIZE }, { signal }),
    NOT_IN_FEED,
  );
  const { data: list } = fresh;
  const said = list && `${counted(list.total_items, 'endpoint')}, newest first`;
  return (
    <section class="results" aria-labelledby="endpoints">
      <header class="view-head">
        <h2 id="endpoints">Webhook endpoints</h2>
        <AsOf fresh={fresh} />
      </header>
      <TroubleBanner of={[fresh]} />
      <Summary list={list} said={said} route={route} />
      {list?.total_items === 0 && (
        <Instead title="None yet">
          <p>An endpoint is an address of yours that gets every event as it happens.</p>
        </Instead>
      )}
      <Table
        name="endpoints"
        caption="Webhook endpoints"
        columns={{ Address: '36%', Events: '24%', For: '20%', State: '20%' }}
        items={list?.data}
      >
        {(one) => (
          <tr key={one.id}>
            <th scope="row" class="cell-tank">
              <Link to={{ ...route, endpoint: one.id, page: 1 }} data-endpoint={one.id}>
                {one.url}
              </Link>
              <span class="second">{one.description}</span>
            </th>
            <td>{typesInWords(one.types)}</td>
            <td>{one.customer_id === null ? 'All customers' : one.customer_id}</td>
            <td>
              <TwoLines first={capitalised(one.state)} second={one.reason} />
            </td>
          </tr>
        )}
      </Table>
      {mayWrite && <AddEndpoint client={client} ownKey={ownKey} onAdded={fresh.retry} />}
    </section>
  );
}

const FIELDS = {
  url: { label: 'Address', isRequired: true, hint: 'https, and reachable from the service' },
  description: { label: 'Description', hint: 'For people: whose it is, what it does' },
  customer_id: { label: 'Customer id', hint: 'Only events of this customer’s tanks. Empty: of all.' },
  types: { label: 'Events' },
};
const EMPTY = { url: '', description: '', customer_id: '', types: EVENT_TYPES.join(' ') };

function AddEndpoint({ client, ownKey, onAdded }: Omit<Props, 'route'> & { readonly onAdded: () => void }) {
  const form = useForm({ fields: FIELDS, stored: EMPTY, draft: 'endpoint' });
  const { filled } = form;
  const types = EVENT_TYPES.filter((type) => filled.values.types.split(' ').includes(type));
  const [secret, setSecret] = useState<string>();
  const add = (event: SubmitEvent) => {
    event.preventDefault();
    const { url, description, customer_id } = filled.values;
    void form.send(async () => {
      const added = await client.webhookEndpoints.create({
        url: url.trim(),
        types: types.length === EVENT_TYPES.length ? null : types,
        description: description === '' ? null : description,
        ...(customer_id !== '' && { customer_id }),
      });
      setSecret(added.secret);
      form.setValues(EMPTY);
      onAdded();
    });
  };
  const toggle = (type: EventType) => {
    const chosen = EVENT_TYPES.filter((one) => types.includes(one) !== (one === type));
    filled.set('types', chosen.join(' '));
  };
  return (
    <form class="editor" noValidate onSubmit={add}>
      {secret !== undefined && <SecretOnce secret={secret} />}
      <fieldset class="panel">
        <legend>Add an endpoint</legend>
        <Field filled={filled} name="url" />
        <Field filled={filled} name="description" />
        {ownKey.customer_id === null && <Field filled={filled} name="customer_id" />}
        <fieldset class="field choices">
          <legend>{FIELDS.types.label}</legend>
          {EVENT_TYPES.map((type) => (
            <label key={type} class="choice">
              <input type="checkbox" checked={types.includes(type)} onChange={() => toggle(type)} />
              {type}
            </label>
          ))}
        </fieldset>
      </fieldset>
      <FailureBanner trouble={form.trouble} wrong={form.wrong} />
      <div class="actions">
        <button type="submit" class="main-action">
          {form.isBusy ? 'Adding…' : 'Add the endpoint'}
        </button>
      </div>
    </form>
  );
}
