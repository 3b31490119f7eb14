// Who is told by mail: the recipients of all customers or of one, and a form for another one.
import type { Customer, EventType, Key } from 'tank-monitoring-client';
import { FailureBanner } from '../form/failure.js';
import { Field } from '../form/field.js';
import { useForm } from '../form/use-form.js';
import { LANGUAGE } from '../format.js';
import { Summary } from '../list/summary.js';
import { Link } from '../parts/link.js';
import { Table } from '../parts/table.js';
import { Instead, TroubleBanner } from '../parts/trouble.js';
import { TwoLines } from '../parts/two-lines.js';
import type { ViewProps } from '../parts/view-props.js';
import { EVENT_TYPES, type Route } from '../route.js';
import { mayWrite } from '../session.js';
import { NOT_IN_FEED, useFresh } from '../use-fresh.js';
import { words } from '../words/words.js';

const PAGE_SIZE = 50;
const { columns } = words.recipients;
const COLUMNS = {
  [columns.who]: '36%',
  [columns.about]: '24%',
  [columns.told]: '22%',
  [columns.state]: '18%',
};

interface Props extends ViewProps {
  readonly ownKey: Key;
  /** Only those who are told about this customer's tanks. */
  readonly owner?: Customer;
}

export const routeTo = (route: Route, recipient: string): Route => ({
  ...route,
  view: 'settings',
  setting: 'recipients',
  recipient,
  page: 1,
});

export function Recipients({ client, ownKey, route, owner }: Props) {
  const page = owner === undefined ? route.page : 1;
  const asked = { page, size: PAGE_SIZE, ...(owner && { owner_id: owner.id }) };
  const fresh = useFresh(
    ['recipients', asked],
    (signal) => client.recipients.page(asked, { signal }),
    NOT_IN_FEED,
  );
  const { data: list } = fresh;
  const said = list && words.newestFirst(words.recipients.count(list.total_items));
  return (
    <section class="results" aria-labelledby="recipients">
      <h2 id="recipients">{words.recipients.title}</h2>
      <TroubleBanner of={[fresh]} />
      {owner === undefined && <Summary list={list} said={said} route={route} />}
      {list?.total_items === 0 && (
        <Instead title={words.recipients.none}>
          <p>{words.recipients.noneNote}</p>
        </Instead>
      )}
      <Table name="recipients" caption={words.recipients.title} columns={COLUMNS} items={list?.data}>
        {(one) => (
          <tr key={one.id}>
            <th scope="row" class="cell-tank">
              <Link to={routeTo(route, one.id)} data-recipient={one.id}>
                {one.email}
              </Link>
              <span class="second">{one.name}</span>
            </th>
            <td>{one.owner_id === null ? words.recipients.allTanks : (owner?.name ?? one.owner_id)}</td>
            <td>
              <TwoLines
                first={one.events.map((type) => words.recipients.events[type]).join(', ')}
                second={one.daily_at && words.recipients.dailyAt(one.daily_at, one.time_zone)}
              />
            </td>
            <td>
              <TwoLines first={words.recipients.states[one.status]} second={one.reason} />
            </td>
          </tr>
        )}
      </Table>
      {mayWrite && <AddRecipient client={client} ownKey={ownKey} owner={owner} onAdded={fresh.retry} />}
    </section>
  );
}

const { fields } = words.recipients;
const FIELDS = {
  email: { label: fields.email, isRequired: true, hint: words.recipients.emailHint },
  name: { label: fields.name },
  owner_id: { label: fields.owner_id, hint: words.recipients.ownerHint },
  events: { label: fields.events },
  daily_at: { label: fields.daily_at, hint: words.recipients.dailyHint },
};
const TIME_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

type AddProps = Pick<Props, 'client' | 'ownKey'> & {
  readonly owner: Customer | undefined;
  readonly onAdded: () => void;
};

function AddRecipient({ client, ownKey, owner, onAdded }: AddProps) {
  const stored = {
    email: owner?.email ?? '',
    name: '',
    owner_id: '',
    events: 'tank.low tank.silent',
    daily_at: '',
  };
  const form = useForm({ fields: FIELDS, stored, draft: `recipient of ${owner?.id ?? 'all'}` });
  const { filled } = form;
  const events = EVENT_TYPES.filter((type) => filled.values.events.split(' ').includes(type));
  const add = (event: SubmitEvent) => {
    event.preventDefault();
    const { email, name, owner_id: typed, daily_at } = filled.values;
    const owner_id = owner?.id ?? typed;
    void form.send(async () => {
      await client.recipients.create({
        email: email.trim(),
        events,
        language: LANGUAGE,
        time_zone: TIME_ZONE,
        ...(name !== '' && { name }),
        ...(owner_id !== '' && { owner_id }),
        ...(daily_at !== '' && { daily_at }),
      });
      form.setValues({ ...stored, email: '' });
      onAdded();
    });
  };
  const toggle = (type: EventType) => {
    const chosen = EVENT_TYPES.filter((one) => events.includes(one) !== (one === type));
    filled.set('events', chosen.join(' '));
  };
  return (
    <form class="editor" noValidate onSubmit={add}>
      <fieldset class="panel">
        <legend>{words.recipients.add}</legend>
        <Field filled={filled} name="email" input={{ type: 'email' }} />
        <Field filled={filled} name="name" />
        {owner === undefined && ownKey.customer_id === null && <Field filled={filled} name="owner_id" />}
        <fieldset class="field choices">
          <legend>{fields.events}</legend>
          {EVENT_TYPES.map((type) => (
            <label key={type} class="choice">
              <input type="checkbox" checked={events.includes(type)} onChange={() => toggle(type)} />
              {words.recipients.events[type]}
            </label>
          ))}
        </fieldset>
        <Field filled={filled} name="daily_at" input={{ type: 'time' }} />
      </fieldset>
      <FailureBanner trouble={form.trouble} wrong={form.wrong} />
      <div class="actions">
        <button type="submit" class="main-action">
          {form.isBusy ? words.settings.adding : words.recipients.addThis}
        </button>
      </div>
    </form>
  );
}
