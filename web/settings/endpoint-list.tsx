// The webhook endpoints: those there are, and a form for another one. Its secret is shown once.
import { useState } from 'preact/hooks';
import type { EventType, Me } from 'tank-monitoring-client';
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
import { SecretOnce } from './secret-once.js';
import { typesInWords } from './setting-words.js';
import { words } from '../words/words.js';

const PAGE_SIZE = 50;
const { endpointColumns: columns } = words.settings;
const COLUMNS = {
  [columns.address]: '36%',
  [columns.events]: '24%',
  [columns.for]: '20%',
  [columns.state]: '20%',
};

interface Props extends ViewProps {
  readonly ownKey: Me;
}

export function EndpointList({ client, ownKey, route }: Props) {
  const { page } = route;
  const fresh = useFresh(
    ['endpoints', page],
    (signal) => client.webhookEndpoints.page({ page, size: PAGE_SIZE }, { signal }),
    NOT_IN_FEED,
  );
  const { data: list } = fresh;
  const said = list && words.newestFirst(words.settings.endpointCount(list.total_items));
  return (
    <section class="results" aria-labelledby="endpoints">
      <header class="view-head">
        <h2 id="endpoints">{words.settings.endpoints}</h2>
        <AsOf fresh={fresh} />
      </header>
      <TroubleBanner of={[fresh]} />
      <Summary list={list} said={said} route={route} />
      {list?.total_items === 0 && (
        <Instead title={words.sensor.noneYet}>
          <p>{words.settings.endpointNone}</p>
        </Instead>
      )}
      <Table name="endpoints" caption={words.settings.endpoints} columns={COLUMNS} items={list?.data}>
        {(one) => (
          <tr key={one.id}>
            <th scope="row" class="cell-tank">
              <Link to={{ ...route, endpoint: one.id, page: 1 }} data-endpoint={one.id}>
                {one.url}
              </Link>
              <span class="second">{one.description}</span>
            </th>
            <td>{typesInWords(one.types)}</td>
            <td>{one.customer_id === null ? words.settings.allCustomers : one.customer_id}</td>
            <td>
              <TwoLines first={words.settings.endpointStates[one.state]} second={one.reason} />
            </td>
          </tr>
        )}
      </Table>
      {mayWrite && <AddEndpoint client={client} ownKey={ownKey} onAdded={fresh.retry} />}
    </section>
  );
}

const FIELDS = {
  url: { label: words.settings.endpointFields.url, isRequired: true, hint: words.settings.urlHint },
  description: { label: words.settings.endpointFields.description, hint: words.settings.descriptionHint },
  customer_id: { label: words.settings.endpointFields.customer_id, hint: words.settings.customerHint },
  types: { label: words.settings.endpointFields.types },
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
        <legend>{words.settings.addEndpoint}</legend>
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
          {form.isBusy ? words.settings.adding : words.settings.addTheEndpoint}
        </button>
      </div>
    </form>
  );
}
