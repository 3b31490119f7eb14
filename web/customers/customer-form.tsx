// The form in which a customer is added, edited or deleted.
import type { Customer } from 'tank-monitoring-client';
import { Editor, FormFrame } from '../form/editor.js';
import { Field } from '../form/field.js';
import { undoBy } from '../notice.js';
import { usePage } from '../page.js';
import { Confirm } from '../parts/confirm.js';
import type { Route } from '../route.js';
import { mayAddCustomers, mayChangeCustomers } from '../session.js';
import { findCustomer } from './customer-view.js';
import { CUSTOMER_FIELDS, useCustomer } from './use-customer.js';
import { words } from '../words/words.js';

export function CustomerForm() {
  const { client, me, route } = usePage();
  const { customer: id } = route;
  return (
    <FormFrame
      open={async (signal) => {
        const customer = id === undefined ? undefined : await findCustomer(client, id, signal);
        return customer === null ? null : { customer };
      }}
      titleOf={(opened) =>
        id === undefined ? words.customer.add : words.customer.editWhom(opened?.customer?.name)
      }
      back={{ ...route, form: undefined }}
      behind={id === undefined ? 'customers' : 'customer'}
      kind="customer"
      may={id === undefined ? mayAddCustomers(me) : mayChangeCustomers(me)}
    >
      {({ customer }) => <CustomerEditor opened={customer} />}
    </FormFrame>
  );
}

function CustomerEditor({ opened }: { readonly opened: Customer | undefined }) {
  const { me, route, onDone } = usePage();
  const { form, wasChanged, save, remove } = useCustomer(opened, `customer ${opened?.id}`);
  const here: Route = { ...route, form: undefined };
  const saved = ({ id, name }: { readonly id: string; readonly name: string }) =>
    onDone(opened === undefined ? words.wasAdded(name) : words.saved, { ...here, customer: id });
  const removed = (restore?: () => Promise<unknown>) =>
    onDone(
      words.wasDeleted(opened?.name ?? ''),
      { ...here, customer: undefined },
      undoBy(restore, words.isBack(opened?.name ?? ''), here),
    );
  return (
    <Editor
      form={form}
      label={opened === undefined ? words.customer.addIt : words.save}
      onSave={() => save(saved)}
      cancel={here}
      meanwhile={wasChanged && <p role="alert">{words.customer.meanwhile}</p>}
      removal={
        opened !== undefined &&
        mayAddCustomers(me) && (
          <Confirm
            label={words.customer.delete}
            title={words.form.deleteWhat(opened.name)}
            action={opened.tank_count === 0 ? words.delete : undefined}
            onConfirm={() => void remove(removed)}
          >
            {opened.tank_count === 0 ? words.customer.nothingAgainst : words.customer.owns(opened.tank_count)}
          </Confirm>
        )
      }
    >
      <fieldset class="panel">
        <legend>{words.fields.customer_id}</legend>
        {CUSTOMER_FIELDS.map((name) => (
          <Field key={name} filled={form.filled} name={name} />
        ))}
      </fieldset>
    </Editor>
  );
}
