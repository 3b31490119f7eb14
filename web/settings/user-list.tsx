// The users: who has signed in, what each may do and for which customer.
import { useState } from 'preact/hooks';
import type { Me, User } from 'tank-monitoring-client';
import { useAttempt } from '../form/attempts.js';
import { FailureBanner } from '../form/failure.js';
import { Summary } from '../list/summary.js';
import { AsOf } from '../parts/as-of.js';
import { Confirm } from '../parts/confirm.js';
import { Table } from '../parts/table.js';
import { Instead, TroubleBanner } from '../parts/trouble.js';
import { TwoLines } from '../parts/two-lines.js';
import type { ViewProps } from '../parts/view-props.js';
import { Ago } from '../parts/when.js';
import { mayWrite } from '../session.js';
import { NOT_IN_FEED, useFresh } from '../use-fresh.js';
import { words } from '../words/words.js';

const PAGE_SIZE = 50;
const { columns } = words.users;
const COLUMNS = { [columns.who]: '28%', [columns.seen]: '16%', [columns.may]: '56%' };
const ROLES = Object.keys(words.users.roles) as User['role'][];

export function UserList({ client, me, route }: ViewProps & { readonly me: Me }) {
  const { page } = route;
  const fresh = useFresh(
    ['users', page],
    (signal) => client.users.page({ page, size: PAGE_SIZE }, { signal }),
    NOT_IN_FEED,
  );
  const { data: list } = fresh;
  const { trouble, attempt } = useAttempt();
  const act = (what: () => Promise<unknown>) =>
    void attempt(async () => {
      await what();
      fresh.retry();
    });
  return (
    <section class="results" aria-labelledby="users">
      <header class="view-head">
        <h2 id="users">{words.settings.parts.users}</h2>
        <AsOf fresh={fresh} />
      </header>
      <TroubleBanner of={[fresh]} />
      <FailureBanner trouble={trouble} />
      <Summary
        list={list}
        said={list && words.newestFirst(words.users.count(list.total_items))}
        route={route}
      />
      {list?.total_items === 0 && (
        <Instead title={words.users.none}>
          <p>{words.users.noneYet}</p>
        </Instead>
      )}
      <Table name="users" caption={words.settings.parts.users} columns={COLUMNS} items={list?.data}>
        {(user, now) => (
          <tr key={`${user.id} ${user.updated_at}`}>
            <th scope="row">
              <TwoLines first={user.name ?? user.email} second={user.name === null ? '' : user.email} />
            </th>
            <td>{user.last_seen_at !== null && <Ago at={user.last_seen_at} now={now} />}</td>
            <td class="above-row">
              {mayWrite ? (
                <Rights
                  user={user}
                  isBound={me.customer_id !== null}
                  onSave={(fields) => act(() => client.users.patch(user.id, fields))}
                  onRemove={() => act(() => client.users.delete(user.id))}
                />
              ) : (
                <TwoLines first={words.users.roles[user.role]} second={user.customer_id} />
              )}
            </td>
          </tr>
        )}
      </Table>
    </section>
  );
}

interface RightsProps {
  readonly user: User;
  readonly isBound: boolean;
  readonly onSave: (fields: { role: User['role']; customer_id: string | null }) => void;
  readonly onRemove: () => void;
}

function Rights({ user, isBound, onSave, onRemove }: RightsProps) {
  const [role, setRole] = useState(user.role);
  const [customer, setCustomer] = useState(user.customer_id ?? '');
  const isOther = role !== user.role || customer !== (user.customer_id ?? '');
  const called = user.name ?? user.email;
  const save = (event: SubmitEvent) => {
    event.preventDefault();
    onSave({ role, customer_id: customer === '' ? null : customer });
  };
  return (
    <form class="actions" onSubmit={save}>
      <select
        aria-label={words.users.roleOf(called)}
        value={role}
        onChange={({ currentTarget }) => setRole(currentTarget.value as User['role'])}
      >
        {ROLES.map((one) => (
          <option key={one} value={one}>
            {words.users.roles[one]}
          </option>
        ))}
      </select>
      {!isBound && role !== 'admin' && (
        <input
          aria-label={words.users.customerOf(called)}
          placeholder={words.settings.allCustomers}
          value={customer}
          onInput={({ currentTarget }) => setCustomer(currentTarget.value.trim())}
        />
      )}
      {isOther && (
        <button type="submit" class="main-action">
          {words.save}
        </button>
      )}
      <Confirm
        label={words.users.remove}
        title={words.users.removeWhat(called)}
        action={words.users.removeDo}
        onConfirm={onRemove}
      >
        {words.users.removeNote}
      </Confirm>
    </form>
  );
}
