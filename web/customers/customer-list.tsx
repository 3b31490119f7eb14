// The customers, found by any part of name, email or phone.
import type { Key } from 'tank-monitoring-client';
import { Search } from '../list/filters.js';
import { Summary } from '../list/summary.js';
import { Back } from '../parts/back.js';
import { AsOf } from '../parts/as-of.js';
import { Link } from '../parts/link.js';
import { Table } from '../parts/table.js';
import { useTitle } from '../parts/title.js';
import { Instead, TroubleBanner } from '../parts/trouble.js';
import type { ViewProps } from '../parts/view-props.js';
import { Ago } from '../parts/when.js';
import { filterOf, START } from '../route.js';
import { mayAddCustomers } from '../session.js';
import { useFresh } from '../use-fresh.js';
import { counted } from '../words.js';

const PAGE_SIZE = 50;

interface Props extends ViewProps {
  readonly ownKey: Key | undefined;
  /** While a customer or a form is shown the list waits behind it, as it was left. */
  readonly isBehind: boolean;
}

export function CustomerList({ client, ownKey, route, isBehind }: Props) {
  const { page } = route;
  const { q } = filterOf(route);
  const fresh = useFresh(isBehind ? undefined : JSON.stringify([q, page]), (signal) =>
    client.customers.page({ q, page, size: PAGE_SIZE }, { signal }),
  );
  const { data: list, isPrevious } = fresh;
  const said = list && `${counted(list.total_items, 'customer')}, newest first`;
  useTitle(isBehind ? undefined : 'Customers');
  return (
    <article hidden={isBehind}>
      <Back to={START} behind="fleet" />
      <header class="view-head">
        <h1 tabIndex={-1}>Customers</h1>
        {mayAddCustomers(ownKey) && (
          <Link to={{ ...route, form: 'customer' }} class="button">
            Add a customer
          </Link>
        )}
        <AsOf fresh={fresh} />
      </header>
      <TroubleBanner of={[fresh]} />
      <div class="filters">
        <Search route={route} placeholder="Name, email or phone" />
      </div>
      <section class={isPrevious ? 'results results-previous' : 'results'} aria-label="Customers">
        <Summary list={list} said={said} route={route} />
        {list?.data.length === 0 && !isPrevious && (
          <Instead title="No customer matches">
            <p>
              <Link to={{ ...START, view: 'customers' }}>Show all customers</Link>
            </p>
          </Instead>
        )}
        <Table
          name="customers"
          caption="Customers"
          columns={{ Customer: '28%', Email: '30%', Phone: '17%', Tanks: '10%', Since: '15%' }}
          items={list?.data}
          isBusy={isPrevious}
        >
          {(one, now) => (
            <tr key={one.id}>
              <th scope="row" class="cell-tank">
                <Link to={{ ...route, customer: one.id }} data-customer={one.id}>
                  {one.name}
                </Link>
              </th>
              <td>{one.email}</td>
              <td>{one.phone ?? '–'}</td>
              <td>{counted(one.tank_count, 'tank')}</td>
              <td>
                <Ago at={one.created_at} now={now} />
              </td>
            </tr>
          )}
        </Table>
      </section>
    </article>
  );
}
