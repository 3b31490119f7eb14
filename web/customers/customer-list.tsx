// The customers, found by any part of name, email or phone.
import type { Me } from 'tank-monitoring-client';
import { DeletedFound } from '../list/deleted-found.js';
import { Search } from '../list/filters.js';
import type { Leave } from '../notice.js';
import { Summary } from '../list/summary.js';
import { Back } from '../parts/back.js';
import { AsOf } from '../parts/as-of.js';
import { Icon } from '../parts/icons.js';
import { Link } from '../parts/link.js';
import { Table } from '../parts/table.js';
import { useTitle } from '../parts/title.js';
import { Instead, TroubleBanner } from '../parts/trouble.js';
import type { ViewProps } from '../parts/view-props.js';
import { Ago } from '../parts/when.js';
import { filterOf, START } from '../route.js';
import { mayAddCustomers } from '../session.js';
import { useFresh } from '../use-fresh.js';
import { words } from '../words/words.js';

const PAGE_SIZE = 50;
const { columns } = words.customer;
const COLUMNS = {
  [columns.customer]: '28%',
  [columns.email]: '30%',
  [columns.phone]: '17%',
  [columns.tanks]: '10%',
  [columns.since]: '15%',
};

interface Props extends ViewProps {
  readonly ownKey: Me | undefined;
  /** While a customer or a form is shown the list waits behind it, as it was left. */
  readonly isBehind: boolean;
  readonly onDone: Leave;
}

export function CustomerList({ client, ownKey, route, isBehind, onDone }: Props) {
  const { page } = route;
  const { q } = filterOf(route);
  const fresh = useFresh(isBehind ? undefined : ['customers', q, page], (signal) =>
    client.customers.page({ q, page, size: PAGE_SIZE }, { signal }),
  );
  const { data: list, isPrevious } = fresh;
  const said = list && words.newestFirst(words.customers(list.total_items));
  useTitle(isBehind ? undefined : words.views.customers);
  return (
    <article hidden={isBehind}>
      <Back to={START} behind="fleet" />
      <header class="view-head">
        <h1 tabIndex={-1}>{words.views.customers}</h1>
        {mayAddCustomers(ownKey) && (
          <Link to={{ ...route, form: 'customer' }} class="button">
            <Icon name="add" />
            {words.customer.add}
          </Link>
        )}
        <AsOf fresh={fresh} />
      </header>
      <TroubleBanner of={[fresh]} />
      <div class="filters">
        <Search route={route} placeholder={words.customer.searchFor} />
      </div>
      <section class={isPrevious ? 'results results-previous' : 'results'} aria-label={words.views.customers}>
        <Summary list={list} said={said} route={route} />
        {list?.data.length === 0 && !isPrevious && (
          <Instead title={words.customer.noMatch}>
            <p>
              <Link to={{ ...START, view: 'customers' }}>{words.customer.showAll}</Link>
            </p>
          </Instead>
        )}
        <Table
          name="customers"
          caption={words.views.customers}
          columns={COLUMNS}
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
              <td>{words.tanks(one.tank_count)}</td>
              <td>
                <Ago at={one.created_at} now={now} />
              </td>
            </tr>
          )}
        </Table>
        <DeletedFound client={client} ownKey={ownKey} route={route} kind="customer" onDone={onDone} />
      </section>
    </article>
  );
}
