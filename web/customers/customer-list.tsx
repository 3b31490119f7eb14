// The customers, found by any part of name, email or phone.
import type { Customer, Key, TankMonitoring } from 'tank-monitoring-client';
import { Search } from '../list/filters.js';
import { Pager } from '../list/pager.js';
import { AsOf } from '../parts/as-of.js';
import { Icon } from '../parts/icons.js';
import { Link } from '../parts/link.js';
import { useTitle } from '../parts/title.js';
import { Instead, TroubleBanner } from '../parts/trouble.js';
import { Ago, useNow } from '../parts/when.js';
import { filterOf, START, type Route } from '../route.js';
import { mayAddCustomers } from '../session.js';
import { useFresh } from '../use-fresh.js';
import { count, counted } from '../words.js';

const PAGE_SIZE = 50;

interface Props {
  readonly client: TankMonitoring;
  readonly ownKey: Key | undefined;
  readonly route: Route;
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
  useTitle(isBehind ? undefined : 'Customers');
  return (
    <article hidden={isBehind}>
      <div class="above">
        <Link to={START} class="back">
          <Icon name="back" />
          Back to the fleet
        </Link>
      </div>
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
        <div class="summary">
          <p role="status">
            {list === undefined ? 'Loading…' : `${counted(list.total_items, 'customer')}, newest first`}
          </p>
          {list !== undefined && <Pager list={list} route={route} label="Pages" />}
        </div>
        {list?.data.length === 0 && !isPrevious && (
          <Instead title="No customer matches">
            <p>
              <Link to={{ ...START, view: 'customers' }}>Show all customers</Link>
            </p>
          </Instead>
        )}
        {list !== undefined && list.data.length > 0 && (
          <CustomerTable customers={list.data} route={route} isBusy={isPrevious} />
        )}
      </section>
    </article>
  );
}

interface TableProps {
  readonly customers: readonly Customer[];
  readonly route: Route;
  readonly isBusy: boolean;
}

function CustomerTable({ customers, route, isBusy }: TableProps) {
  const now = useNow(30_000);
  return (
    <table class="tanks customers" aria-busy={isBusy}>
      <caption class="for-ears">Customers</caption>
      <thead>
        <tr>
          <th scope="col">Customer</th>
          <th scope="col">Email</th>
          <th scope="col">Phone</th>
          <th scope="col">Tanks</th>
          <th scope="col">Since</th>
        </tr>
      </thead>
      <tbody>
        {customers.map((one) => (
          <tr key={one.id}>
            <th scope="row" class="cell-tank">
              <Link to={{ ...route, customer: one.id }} data-customer={one.id}>
                {one.name}
              </Link>
            </th>
            <td>{one.email}</td>
            <td>{one.phone ?? '–'}</td>
            <td>{count(one.tank_count)}</td>
            <td>
              <Ago at={one.created_at} now={now} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
