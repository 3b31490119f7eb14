// One customer: whom to call, the tanks, and who is told about them.
import type { Customer, Me, TankMonitoring } from 'tank-monitoring-client';
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
import { mayChangeCustomers, mayChangeTanks, maySee } from '../session.js';
import { Recipients } from '../settings/recipients.js';
import { useFresh } from '../use-fresh.js';
import { words } from '../words/words.js';

const PAGE_SIZE = 50;

interface Props extends ViewProps {
  readonly ownKey: Me | undefined;
  readonly customerId: string;
}

export function CustomerView({ client, ownKey, customerId, route }: Props) {
  const fresh = useFresh(
    ['customer view', customerId],
    (signal) => findCustomer(client, customerId, signal),
    {
      about: [customerId],
    },
  );
  const tanks = useFresh(['tanks of', customerId, route.page], (signal) =>
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
            {words.edit}
            <span class="for-ears">{words.customer.editThis}</span>
          </Link>
        )}
      </Back>
      <header class="view-head">
        <h1 tabIndex={-1}>{customer?.name ?? (customer === null ? words.customer.one : words.loading)}</h1>
        <AsOf fresh={fresh} />
      </header>
      <TroubleBanner of={[fresh, tanks]} />
      {customer === null && (
        <Instead title={words.customer.unknown}>
          <p>{words.ofThoseSeen}</p>
        </Instead>
      )}
      {customer != null && (
        <>
          <Facts of={customer} />
          <section class="results" aria-label={words.list.tanks}>
            <Summary list={list} said={list && words.tanks(list.total_items)} route={route}>
              {mayChangeTanks(ownKey) && (
                <Link to={{ ...route, owner: customerId, form: 'add' }} class="button">
                  {words.list.addTank}
                </Link>
              )}
            </Summary>
            {list?.total_items !== 0 && (
              <TankTable tanks={list?.data} route={route} isBusy={tanks.isPrevious} />
            )}
          </section>
          {ownKey !== undefined && maySee(ownKey, 'recipients') && (
            <Recipients client={client} ownKey={ownKey} route={route} owner={customer} />
          )}
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
    <section class="panel contact" aria-label={words.customer.contact}>
      <dl class="facts">
        <Fact name={words.tank.phone}>{phone === null ? '–' : <Phone number={phone} />}</Fact>
        <Fact name={words.tank.email}>
          <Email address={email} />
        </Fact>
        <Fact name={words.customer.id}>{id}</Fact>
        <Fact name={words.customer.since}>
          <Ago at={created_at} now={now} />
        </Fact>
      </dl>
    </section>
  );
}
