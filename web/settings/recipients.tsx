// Who is told by mail: the recipients of all customers or of one, and a form for another one.
import type { Customer } from 'tank-monitoring-client';
import { reasonOf } from '../api/troubles.js';
import { CustomerName } from '../customers/customer-name.js';
import { usePage } from '../page.js';
import { Listing, PAGE_SIZE } from '../parts/listing.js';
import type { Route } from '../route.js';
import { mayWrite } from '../session.js';
import { NOT_IN_FEED, useFresh } from '../use-fresh.js';
import { RecipientForm } from './recipient-form.js';
import { words } from '../words/words.js';

const { about, events, states, allTanks, dailyAt } = words.recipients;

const routeTo = (route: Route, recipient: string): Route => ({
  ...route,
  view: 'settings',
  setting: 'recipients',
  recipient,
  page: 1,
});

/** Of `owner`: only those who are told about this customer's tanks. */
export function Recipients({ owner }: { readonly owner?: Customer }) {
  const { client, me, route } = usePage();
  const page = owner === undefined ? route.page : 1;
  const asked = { page, size: PAGE_SIZE, ...(owner && { owner_id: owner.id }) };
  const fresh = useFresh(
    ['recipients', asked],
    (signal) => client.recipients.page(asked, { signal }),
    NOT_IN_FEED,
  );
  return (
    <Listing
      fresh={fresh}
      name="recipients"
      title={words.recipients.title}
      isPart
      said={owner === undefined ? words.recipients.count : undefined}
      none={{ title: words.recipients.none, note: words.recipients.noneNote }}
      row={({ id }) => ({ key: id, to: routeTo(route, id), 'data-recipient': id })}
      columns={[
        [words.who, '36%', (one) => [one.email, one.name]],
        [about, '24%', (one) => <CustomerName id={one.owner_id} all={allTanks} />],
        [
          words.fields.events,
          '22%',
          (one) => [
            one.events.map((type) => events[type]).join(', '),
            one.daily_at && dailyAt(one.daily_at, one.time_zone),
          ],
        ],
        [words.state, '18%', (one) => [states[one.status], reasonOf(one.reason)]],
      ]}
    >
      {mayWrite && (
        <RecipientForm
          owner={owner}
          isAboutOne={owner !== undefined || me.customer_id !== null}
          onSaved={fresh.retry}
        />
      )}
    </Listing>
  );
}
