// One customer: whom to call, the tanks, and who is told about them.
import type { Customer, Me, TankMonitoring } from 'tank-monitoring-client';
import { isLive } from '../form/opened.js';
import { orUndefined } from '../api/troubles.js';
import { findNeeds } from '../list/sensor-needs.js';
import { Summary } from '../list/summary.js';
import { TankTable } from '../list/tank-table.js';
import { AsOf } from '../parts/as-of.js';
import { Back } from '../parts/back.js';
import { Email, Phone } from '../parts/contact.js';
import { Fact } from '../parts/fact.js';
import { Icon } from '../parts/icons.js';
import { Link } from '../parts/link.js';
import { useTitle } from '../parts/title.js';
import { Instead, TroubleBanner } from '../parts/trouble.js';
import type { ViewProps } from '../parts/view-props.js';
import { Ago, useNow } from '../parts/when.js';
import { mayAddCustomers, mayChangeCustomers, mayChangeTanks, maySee } from '../session.js';
import type { Leave } from '../notice.js';
import { WasDeleted } from '../parts/was-deleted.js';
import { Recipients } from '../settings/recipients.js';
import { useFresh } from '../use-fresh.js';
import { words } from '../words/words.js';

const PAGE_SIZE = 50;

interface Props extends ViewProps {
  readonly ownKey: Me | undefined;
  readonly customerId: string;
  readonly onDone: Leave;
}

export function CustomerView({ client, ownKey, customerId, route, onDone }: Props) {
  const fresh = useFresh(
    ['customer view', customerId],
    async (signal) => (await orUndefined(client.customers.get(customerId, { signal }))) ?? null,
    { about: [customerId] },
  );
  const tanks = useFresh(['tanks of', customerId, route.page], async (signal) => {
    const asked = { owner_id: customerId, page: route.page, size: PAGE_SIZE };
    const [found, needs] = await Promise.all([
      client.fleet.tanks.page(asked, { signal }),
      findNeeds(client, asked, signal),
    ]);
    return { list: found, needs };
  });
  const { data: found } = fresh;
  const customer = found != null && isLive(found) ? found : undefined;
  const { list, needs } = tanks.data ?? {};
  useTitle(customer?.name);
  const restore = async () => {
    const { name } = await client.customers.restore(customerId);
    fresh.retry();
    onDone(words.isBack(name), route);
  };
  return (
    <article>
      <Back to={{ ...route, customer: undefined, page: 1 }} behind="customers">
        {customer !== undefined && mayChangeCustomers(ownKey) && (
          <Link to={{ ...route, form: 'customer' }} class="button">
            <Icon name="edit" />
            {words.edit}
            <span class="for-ears">{words.customer.editThis}</span>
          </Link>
        )}
      </Back>
      <header class="view-head">
        <h1 tabIndex={-1}>{customer?.name ?? (found === undefined ? words.loading : words.customer.one)}</h1>
        <AsOf fresh={fresh} />
      </header>
      <TroubleBanner of={[fresh, tanks]} />
      {found === null && (
        <Instead title={words.customer.unknown}>
          <p>{words.ofThoseSeen}</p>
        </Instead>
      )}
      {found != null && customer === undefined && (
        <WasDeleted
          title={words.customer.wasDeleted}
          label={mayAddCustomers(ownKey) ? words.customer.restore : undefined}
          onRestore={restore}
        />
      )}
      {customer !== undefined && (
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
              <TankTable tanks={list?.data} route={route} isBusy={tanks.isPrevious} needs={needs} />
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
