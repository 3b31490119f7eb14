// The form in which a customer is added, edited or deleted.
import type { Customer, Key, TankMonitoring } from 'tank-monitoring-client';
import { FailureBanner } from '../form/failure.js';
import { Field } from '../form/field.js';
import { FormFrame } from '../form/form-frame.js';
import { undoBy, type Leave } from '../notice.js';
import { Confirm } from '../parts/confirm.js';
import { Link } from '../parts/link.js';
import type { Route } from '../route.js';
import { mayAddCustomers, mayChangeCustomers } from '../session.js';
import { useFresh, type Fresh } from '../use-fresh.js';
import { counted } from '../words.js';
import { findCustomer } from './customer-view.js';
import { CUSTOMER_FIELDS, useCustomer } from './use-customer.js';

interface Props {
  readonly client: TankMonitoring;
  readonly ownKey: Fresh<Key>;
  readonly route: Route;
  readonly onDone: Leave;
}

export function CustomerForm(props: Props) {
  const { client, ownKey, route } = props;
  const { customer: id } = route;
  const may = id === undefined ? mayAddCustomers(ownKey.data) : mayChangeCustomers(ownKey.data);
  const opened = useFresh(may ? `open ${id}` : undefined, (signal) => open(client, id, signal), {
    once: true,
  });
  return (
    <FormFrame
      title={id === undefined ? 'Add a customer' : `Edit ${opened.data?.customer?.name ?? 'a customer'}`}
      back={{ ...route, form: undefined }}
      behind={id === undefined ? 'customers' : 'customer'}
      kind="customer"
      ownKey={ownKey}
      may={may}
      opened={opened}
    >
      {opened.data != null && <Editor {...props} opened={opened.data.customer} />}
    </FormFrame>
  );
}

/** Null: there is no such customer. */
async function open(client: TankMonitoring, id: string | undefined, signal: AbortSignal) {
  const customer = id === undefined ? undefined : await findCustomer(client, id, signal);
  return customer === null ? null : { customer };
}

function Editor({
  client,
  ownKey,
  route,
  onDone,
  opened,
}: Props & { readonly opened: Customer | undefined }) {
  const { filled, isBusy, failure, wasChanged, save, remove } = useCustomer(
    client,
    opened,
    `customer ${opened?.id}`,
  );
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    void save(({ id, name }) =>
      onDone(opened === undefined ? `${name} was added.` : 'Saved.', {
        ...route,
        form: undefined,
        customer: id,
      }),
    );
  };
  const list: Route = { ...route, form: undefined, customer: undefined };
  const gone = (restore?: () => Promise<unknown>) =>
    onDone(
      `${opened?.name} was deleted.`,
      list,
      undoBy(restore, `${opened?.name} is back.`, { ...route, form: undefined }),
    );
  const them = opened?.tank_count === 1 ? 'it' : 'them';
  return (
    <form class="editor" noValidate onSubmit={submit}>
      <fieldset class="panel">
        <legend>Customer</legend>
        {CUSTOMER_FIELDS.map((name) => (
          <Field key={name} filled={filled} name={name} />
        ))}
      </fieldset>
      {failure !== undefined && <FailureBanner failure={failure} />}
      {wasChanged && (
        <p role="alert">Somebody else has changed this customer meanwhile. Look at it, then save again.</p>
      )}
      <div class="actions">
        <button type="submit" class="main-action">
          {isBusy ? 'Saving…' : opened === undefined ? 'Add the customer' : 'Save'}
        </button>
        <Link to={{ ...route, form: undefined }} class="button">
          Cancel
        </Link>
        {opened !== undefined && mayAddCustomers(ownKey.data) && (
          <Confirm
            label="Delete this customer…"
            title={`Delete ${opened.name}?`}
            action="Delete"
            onConfirm={() => void remove(gone)}
          >
            {opened.tank_count === 0
              ? 'Nothing stands against it.'
              : `It owns ${counted(opened.tank_count, 'tank')}: first give ${them} to another owner, or delete ${them}.`}
          </Confirm>
        )}
      </div>
    </form>
  );
}
