// One customer: whom to call, the tanks, and who is told about them.
import type { Customer, TankMonitoring } from 'tank-monitoring-client';
import { orUndefined } from '../api/troubles.js';
import { isLive } from '../form/opened.js';
import { findNeeds } from '../list/sensor-needs.js';
import { TankTable } from '../list/tank-table.js';
import { usePage } from '../page.js';
import { Icon } from '../parts/icons.js';
import { Link } from '../parts/link.js';
import { pageOf, Summary } from '../parts/listing.js';
import { Email, Fact, Phone } from '../parts/text.js';
import { Instead } from '../parts/trouble.js';
import { View, WasDeleted } from '../parts/view.js';
import { Ago } from '../parts/when.js';
import { mayAddCustomers, mayChangeCustomers, mayChangeTanks, maySee } from '../session.js';
import { Recipients } from '../settings/recipients.js';
import { useFresh } from '../use-fresh.js';
import { words } from '../words/words.js';

export function CustomerView({ customerId }: { readonly customerId: string }) {
  const { client, me, route, onDone } = usePage();
  const fresh = useFresh(
    ['customer view', customerId],
    async (signal) => (await orUndefined(client.customers.get(customerId, { signal }))) ?? null,
    { about: [customerId] },
  );
  const tanks = useFresh(['tanks of', customerId, route.page], async (signal) => {
    const asked = { owner_id: customerId, ...pageOf(route) };
    const [found, needs] = await Promise.all([
      client.fleet.tanks.page(asked, { signal }),
      findNeeds(client, asked, signal),
    ]);
    return { list: found, needs };
  });
  const { data: found } = fresh;
  const customer = found != null && isLive(found) ? found : undefined;
  const { list, needs } = tanks.data ?? {};
  const restore = async () => {
    const { name } = await client.customers.restore(customerId);
    fresh.retry();
    onDone(words.isBack(name), route);
  };
  const edit = customer !== undefined && mayChangeCustomers(me) && (
    <Link to={{ ...route, form: 'customer' }} class="button">
      <Icon name="edit" />
      {words.edit}
      <span class="for-ears">{words.customer.editThis}</span>
    </Link>
  );
  return (
    <View
      title={customer?.name ?? (found === undefined ? words.loading : words.fields.customer_id)}
      tab={customer?.name ?? null}
      back={{ ...route, customer: undefined, page: 1 }}
      behind="customers"
      fresh={[fresh, tanks]}
      beside={edit}
    >
      {found === null && <Instead title={words.form.noSuch.customer} note={words.ofThoseSeen} />}
      {found != null && customer === undefined && (
        <WasDeleted
          title={words.customer.wasDeleted}
          label={mayAddCustomers(me) ? words.customer.restore : undefined}
          onRestore={restore}
        />
      )}
      {customer !== undefined && (
        <>
          <Facts of={customer} />
          <section class="results" aria-label={words.list.tanks}>
            <Summary list={list} said={list && words.tanks(list.total_items)}>
              {mayChangeTanks(me) && (
                <Link to={{ ...route, owner: customerId, form: 'add' }} class="button">
                  {words.form.addTank}
                </Link>
              )}
            </Summary>
            {list?.total_items !== 0 && (
              <TankTable tanks={list?.data} isBusy={tanks.isPrevious} needs={needs} />
            )}
          </section>
          {maySee(me, 'recipients') && <Recipients owner={customer} />}
        </>
      )}
    </View>
  );
}

/** Null: there is none, or none any more. */
export async function findCustomer(client: TankMonitoring, id: string, signal?: AbortSignal) {
  const found = await orUndefined(client.customers.get(id, { signal }));
  return found === undefined || !isLive(found) ? null : found;
}

function Facts({ of: { id, email, phone, created_at } }: { readonly of: Customer }) {
  return (
    <section class="panel contact" aria-label={words.customer.contact}>
      <dl class="facts">
        <Fact name={words.fields.phone}>{phone === null ? '–' : <Phone number={phone} />}</Fact>
        <Fact name={words.fields.email}>
          <Email address={email} />
        </Fact>
        <Fact name={words.customer.id}>{id}</Fact>
        <Fact name={words.customer.since}>
          <Ago at={created_at} />
        </Fact>
      </dl>
    </section>
  );
}
