// Who is told by mail: the recipients of all customers or of one, and a form for another one.
import type { Customer, Me } from 'tank-monitoring-client';
import { Summary } from '../list/summary.js';
import { Link } from '../parts/link.js';
import { Table } from '../parts/table.js';
import { Instead, TroubleBanner } from '../parts/trouble.js';
import { TwoLines } from '../parts/two-lines.js';
import type { ViewProps } from '../parts/view-props.js';
import type { Route } from '../route.js';
import { mayWrite } from '../session.js';
import { NOT_IN_FEED, useFresh } from '../use-fresh.js';
import { RecipientForm } from './recipient-form.js';
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
  readonly ownKey: Me;
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
      {mayWrite && (
        <RecipientForm
          client={client}
          owner={owner}
          isAboutOne={owner !== undefined || ownKey.customer_id !== null}
          onSaved={fresh.retry}
        />
      )}
    </section>
  );
}
