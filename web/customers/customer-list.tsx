// The customers, found by any part of name, email or phone.
import { DeletedFound } from '../list/deleted-found.js';
import { Search } from '../list/filters.js';
import { usePage } from '../page.js';
import { Icon } from '../parts/icons.js';
import { Link } from '../parts/link.js';
import { Listing, pageOf } from '../parts/listing.js';
import { View, type ListViewProps } from '../parts/view.js';
import { Ago } from '../parts/when.js';
import { filterOf, START } from '../route.js';
import { mayAddCustomers } from '../session.js';
import { useFresh } from '../use-fresh.js';
import { words } from '../words/words.js';

export function CustomerList({ isBehind }: ListViewProps) {
  const { client, me, route } = usePage();
  const { q } = filterOf(route);
  const asked = { q, ...pageOf(route) };
  const fresh = useFresh(isBehind ? undefined : ['customers', asked], (signal) =>
    client.customers.page(asked, { signal }),
  );
  const all = <Link to={{ ...START, view: 'customers' }}>{words.customer.showAll}</Link>;
  const add = mayAddCustomers(me) && (
    <Link to={{ ...route, form: 'customer' }} class="button">
      <Icon name="add" />
      {words.customer.add}
    </Link>
  );
  return (
    <View title={words.views.customers} fresh={[fresh]} isBehind={isBehind} action={add}>
      <div class="filters">
        <Search placeholder={words.customer.searchFor} />
      </div>
      <Listing
        fresh={fresh}
        name="customers"
        title={words.views.customers}
        said={words.customers}
        none={{ title: words.customer.noMatch, note: all }}
        above={<DeletedFound kind="customer" />}
        row={({ id }) => ({ key: id, to: { ...route, customer: id }, 'data-customer': id })}
        columns={[
          [words.fields.customer_id, '28%', ({ name }) => name],
          [words.fields.email, '30%', ({ email }) => email],
          [words.fields.phone, '17%', ({ phone }) => phone ?? '–'],
          [words.list.tanks, '10%', ({ tank_count }) => words.tanks(tank_count)],
          [words.customer.added, '15%', ({ created_at }) => <Ago at={created_at} />],
        ]}
      />
    </View>
  );
}
