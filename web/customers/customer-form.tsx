// The form in which a customer is added, edited or deleted.
import type { Customer } from 'tank-monitoring-client';
import { Editor } from '../form/editor.js';
import { Field } from '../form/field.js';
import { FormFrame, type FormProps } from '../form/form-frame.js';
import { undoBy } from '../notice.js';
import { Confirm } from '../parts/confirm.js';
import type { Route } from '../route.js';
import { mayAddCustomers, mayChangeCustomers } from '../session.js';
import { counted } from '../words.js';
import { findCustomer } from './customer-view.js';
import { CUSTOMER_FIELDS, useCustomer } from './use-customer.js';

export function CustomerForm(props: FormProps) {
  const { client, ownKey, route } = props;
  const { customer: id } = route;
  return (
    <FormFrame
      open={async (signal) => {
        const customer = id === undefined ? undefined : await findCustomer(client, id, signal);
        return customer === null ? null : { customer };
      }}
      titleOf={(opened) =>
        id === undefined ? 'Add a customer' : `Edit ${opened?.customer?.name ?? 'a customer'}`
      }
      back={{ ...route, form: undefined }}
      behind={id === undefined ? 'customers' : 'customer'}
      kind="customer"
      ownKey={ownKey}
      may={id === undefined ? mayAddCustomers(ownKey.data) : mayChangeCustomers(ownKey.data)}
    >
      {({ customer }) => <CustomerEditor {...props} opened={customer} />}
    </FormFrame>
  );
}

function CustomerEditor(props: FormProps & { readonly opened: Customer | undefined }) {
  const { client, ownKey, route, onDone, opened } = props;
  const { form, wasChanged, save, remove } = useCustomer(client, opened, `customer ${opened?.id}`);
  const here: Route = { ...route, form: undefined };
  const saved = ({ id, name }: { readonly id: string; readonly name: string }) =>
    onDone(opened === undefined ? `${name} was added.` : 'Saved.', { ...here, customer: id });
  const removed = (restore?: () => Promise<unknown>) =>
    onDone(
      `${opened?.name} was deleted.`,
      { ...here, customer: undefined },
      undoBy(restore, `${opened?.name} is back.`, here),
    );
  return (
    <Editor
      form={form}
      label={opened === undefined ? 'Add the customer' : 'Save'}
      onSave={() => save(saved)}
      cancel={here}
      meanwhile={
        wasChanged && (
          <p role="alert">Somebody else has changed this customer meanwhile. Look at it, then save again.</p>
        )
      }
      removal={
        opened !== undefined &&
        mayAddCustomers(ownKey.data) && (
          <Confirm
            label="Delete this customer…"
            title={`Delete ${opened.name}?`}
            action="Delete"
            onConfirm={() => void remove(removed)}
          >
            {beforeDeleting(opened.tank_count)}
          </Confirm>
        )
      }
    >
      <fieldset class="panel">
        <legend>Customer</legend>
        {CUSTOMER_FIELDS.map((name) => (
          <Field key={name} filled={form.filled} name={name} />
        ))}
      </fieldset>
    </Editor>
  );
}

function beforeDeleting(tanks: number): string {
  const them = tanks === 1 ? 'it' : 'them';
  return tanks === 0
    ? 'Nothing stands against it.'
    : `It owns ${counted(tanks, 'tank')}: first give ${them} to another owner, or delete ${them}.`;
}
