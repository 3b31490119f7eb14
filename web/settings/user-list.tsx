// The users: who has signed in, what each may do and for which customer.
import type { User } from 'tank-monitoring-client';
import { FailureBanner, useAttempt } from '../form/attempts.js';
import { useCustomerChoice } from '../form/customer-field.js';
import { Input, Select, useTypedOver } from '../form/inputs.js';
import { CustomerName } from '../customers/customer-name.js';
import { usePage } from '../page.js';
import { Confirm } from '../parts/confirm.js';
import { Listing, pageOf } from '../parts/listing.js';
import { TwoLines } from '../parts/text.js';
import { Ago } from '../parts/when.js';
import { mayWrite } from '../session.js';
import { NOT_IN_FEED, useFresh } from '../use-fresh.js';
import { words } from '../words/words.js';

const ROLES = Object.keys(words.users.roles) as User['role'][];
const { columns } = words.users;

export function UserList() {
  const { client, me, route } = usePage();
  const { users } = client;
  const asked = pageOf(route);
  const fresh = useFresh(['users', asked], (signal) => users.page(asked, { signal }), NOT_IN_FEED);
  const { trouble, attempt } = useAttempt();
  const act = (what: () => Promise<unknown>) =>
    void attempt(async () => {
      await what();
      fresh.retry();
    });
  const rightsOf = (user: User) =>
    mayWrite ? (
      <Rights
        user={user}
        isBound={me.customer_id !== null}
        onSave={(fields) => act(() => users.patch(user.id, fields))}
        onRemove={() => act(() => users.delete(user.id))}
      />
    ) : (
      <TwoLines
        first={words.users.roles[user.role]}
        second={user.customer_id !== null && <CustomerName id={user.customer_id} />}
      />
    );
  return (
    <Listing
      fresh={fresh}
      name="users"
      title={words.settings.parts.users}
      isPart
      said={words.users.count}
      none={{ title: words.users.none, note: words.users.noneYet }}
      above={<FailureBanner trouble={trouble} />}
      row={({ id }) => ({ key: id })}
      columns={[
        [words.who, '28%', ({ name, email }) => [name ?? email, name === null ? '' : email]],
        [
          columns.seen,
          '16%',
          ({ last_seen_at: at }) => (at === null ? words.keys.neverUsed : <Ago at={at} />),
        ],
        [columns.may, '56%', rightsOf],
      ]}
    />
  );
}

interface RightsProps {
  readonly user: User;
  readonly isBound: boolean;
  readonly onSave: (fields: { role: User['role']; customer_id: string | null }) => void;
  readonly onRemove: () => void;
}

function Rights({ user, isBound, onSave, onRemove }: RightsProps) {
  const { value: role, onType: setRole } = useTypedOver(user.role);
  const { value: customer, onType: setCustomer } = useTypedOver(user.customer_id ?? '');
  const { isTyped, input, list } = useCustomerChoice({ id: customer, set: setCustomer });
  const isOther = role !== user.role || customer !== (user.customer_id ?? '');
  const called = user.name ?? user.email;
  const save = (event: SubmitEvent) => {
    event.preventDefault();
    onSave({ role: role as User['role'], customer_id: customer === '' ? null : customer });
  };
  return (
    <form class="actions" onSubmit={save}>
      <Select aria-label={words.users.roleOf(called)} value={role} onType={setRole}>
        {ROLES.map((one) => (
          <option key={one} value={one}>
            {words.users.roles[one]}
          </option>
        ))}
      </Select>
      {!isBound && role !== 'admin' && (
        <Input
          {...input}
          value={customer}
          aria-label={words.users.customerOf(called)}
          placeholder={words.settings.allCustomers}
        />
      )}
      {isOther && !isTyped && (
        <button type="submit" class="main-action">
          {words.save}
        </button>
      )}
      <Confirm
        label={words.users.remove}
        title={words.users.removeWhat(called)}
        action={words.remove}
        onConfirm={onRemove}
      >
        {words.users.removeNote}
      </Confirm>
      {list}
    </form>
  );
}
