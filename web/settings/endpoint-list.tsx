// The webhook endpoints: those there are, and a form for another one. Its secret is shown once.
import { useState } from 'preact/hooks';
import { reasonOf } from '../api/troubles.js';
import { CustomerField } from '../form/customer-field.js';
import { Editor } from '../form/editor.js';
import { Field } from '../form/field.js';
import { useForm } from '../form/use-form.js';
import { CustomerName } from '../customers/customer-name.js';
import { usePage } from '../page.js';
import { Listing, pageOf } from '../parts/listing.js';
import { EVENT_TYPES } from '../route.js';
import { mayWrite } from '../session.js';
import { NOT_IN_FEED, useFresh } from '../use-fresh.js';
import { SecretOnce } from './secret-once.js';
import { typesInWords } from './setting-words.js';
import { words } from '../words/words.js';

const { endpointStates } = words.settings;
const { fields } = words;

export function EndpointList() {
  const { client, route } = usePage();
  const asked = pageOf(route);
  const fresh = useFresh(
    ['endpoints', asked],
    (signal) => client.webhookEndpoints.page(asked, { signal }),
    NOT_IN_FEED,
  );
  return (
    <Listing
      fresh={fresh}
      name="endpoints"
      title={words.settings.endpoints}
      isPart
      said={words.settings.endpointCount}
      none={{ title: words.sensor.noneYet, note: words.settings.endpointNone }}
      row={({ id }) => ({ key: id, to: { ...route, endpoint: id, page: 1 }, 'data-endpoint': id })}
      columns={[
        [fields.url, '36%', ({ url, description }) => [url, description]],
        [fields.types, '24%', ({ types }) => typesInWords(types)],
        [words.forWhom, '20%', ({ customer_id: id }) => <CustomerName id={id} />],
        [words.state, '20%', ({ state, reason }) => [endpointStates[state], reasonOf(reason)]],
      ]}
    >
      {mayWrite && <AddEndpoint onAdded={fresh.retry} />}
    </Listing>
  );
}

const FIELDS = {
  url: { label: fields.url, isRequired: true, hint: words.settings.urlHint },
  description: { label: fields.description, hint: words.settings.descriptionHint },
  customer_id: { label: fields.customer_id, hint: words.settings.customerHint },
  types: {
    label: fields.types,
    isSeveral: true,
    choices: EVENT_TYPES.map((one) => [one, one] as const),
  },
};
const EMPTY = { url: '', description: '', customer_id: '', types: EVENT_TYPES.join(' ') };

function AddEndpoint({ onAdded }: { readonly onAdded: () => void }) {
  const { client, me } = usePage();
  const form = useForm({ fields: FIELDS, stored: EMPTY, draft: 'endpoint' });
  const { filled } = form;
  const [secret, setSecret] = useState<string>();
  const add = () =>
    form.send(async () => {
      const { url, description, customer_id } = filled.values;
      const types = EVENT_TYPES.filter((type) => filled.values.types.split(' ').includes(type));
      const added = await client.webhookEndpoints.create({
        url: url.trim(),
        types: types.length === EVENT_TYPES.length ? null : types,
        description: description === '' ? null : description,
        ...(customer_id !== '' && { customer_id }),
      });
      setSecret(added.secret);
      form.restart(EMPTY);
      onAdded();
    });
  return (
    <>
      {secret !== undefined && <SecretOnce secret={secret} />}
      <Editor form={form} label={words.settings.addTheEndpoint} busy={words.settings.adding} onSave={add}>
        <fieldset class="panel">
          <legend>{words.settings.addEndpoint}</legend>
          <Field filled={filled} name="url" />
          <Field filled={filled} name="description" />
          {me.customer_id === null && <CustomerField filled={filled} name="customer_id" />}
          <Field filled={filled} name="types" />
        </fieldset>
      </Editor>
    </>
  );
}
