// One customer: whom to call, and the tanks.
import type { Customer, Key, TankMonitoring } from 'tank-monitoring-client';
import { isLive } from '../form/opened.js';
import { orUndefined } from '../api/troubles.js';
import { Summary } from '../list/summary.js';
import { TankTable } from '../list/tank-table.js';
import { AsOf } from '../parts/as-of.js';
import { Back } from '../parts/back.js';
import { Email, Phone } from '../parts/contact.js';
import { Fact } from '../parts/fact.js';
import { Link } from '../parts/link.js';
import { useTitle } from '../parts/title.js';
import { Instead, TroubleBanner } from '../parts/trouble.js';
import type { ViewProps } from '../parts/view-props.js';
import { Ago, useNow } from '../parts/when.js';
import { mayChangeCustomers, mayChangeTanks } from '../session.js';
import { useFresh } from '../use-fresh.js';
import { counted } from '../words.js';

const PAGE_SIZE = 50;

interface Props extends ViewProps {
  readonly ownKey: Key | undefined;
  readonly customerId: string;
}

export function CustomerView({ client, ownKey, customerId, route }: Props) {
  const fresh = useFresh(`customer ${customerId}`, (signal) => findCustomer(client, customerId, signal), {
    about: [customerId],
  });
  const tanks = useFresh(`tanks ${route.page}`, (signal) =>
    client.fleet.tanks.page({ owner_id: customerId, page: route.page, size: PAGE_SIZE }, { signal }),
  );
  const { data: customer } = fresh;
  const { data: list } = tanks;
  useTitle(customer?.name);
  return (
    <article>
      <Back to={{ ...route, customer: undefined, page: 1 }} behind="customers">
        {customer != null && mayChangeCustomers(ownKey) && (
          <Link to={{ ...route, form: 'customer' }} class="button">
            Edit
            <span class="for-ears"> this customer</span>
          </Link>
        )}
      </Back>
      <header class="view-head">
        <h1 tabIndex={-1}>{customer?.name ?? (customer === null ? 'Customer' : 'Loading…')}</h1>
        <AsOf fresh={fresh} />
      </header>
      <TroubleBanner of={[fresh, tanks]} />
      {customer === null && (
        <Instead title="No such customer">
          <p>It was deleted, or is not among those your key sees.</p>
        </Instead>
      )}
      {customer != null && (
        <>
          <Facts of={customer} />
          <section class="results" aria-label="Tanks">
            <Summary list={list} said={list && counted(list.total_items, 'tank')} route={route}>
              {mayChangeTanks(ownKey) && (
                <Link to={{ ...route, owner: customerId, form: 'add' }} class="button">
                  Add a tank
                </Link>
              )}
            </Summary>
            {list?.total_items !== 0 && (
              <TankTable tanks={list?.data} route={route} isBusy={tanks.isPrevious} />
            )}
          </section>
        </>
      )}
    </article>
  );
}

/** Null: there is none, or none any more. */
export async function findCustomer(client: TankMonitoring, id: string, signal?: AbortSignal) {
  const found = await orUndefined(client.customers.get(id, { signal }));
  return found === undefined || !isLive(found) ? null : found;
}

function Facts({ of: { id, email, phone, created_at } }: { readonly of: Customer }) {
  const now = useNow(30_000);
  return (
    <section class="panel contact" aria-label="Contact">
      <dl class="facts">
        <Fact name="Phone">{phone === null ? '–' : <Phone number={phone} />}</Fact>
        <Fact name="Email">
          <Email address={email} />
        </Fact>
        <Fact name="Id">{id}</Fact>
        <Fact name="Customer since">
          <Ago at={created_at} now={now} />
        </Fact>
      </dl>
    </section>
  );
}
