// A customer that is added while a tank is: in a dialog, so that what was entered of the tank stays.
import { FailureBanner } from '../form/attempts.js';
import { Field } from '../form/field.js';
import { Button } from '../parts/button.js';
import { DialogButton } from '../parts/dialog.js';
import { CUSTOMER_FIELDS, useCustomer } from './use-customer.js';
import { words } from '../words/words.js';

interface Props {
  readonly onAdded: (customer: { readonly id: string; readonly name: string }) => void;
}

export function NewCustomer({ onAdded }: Props) {
  return (
    <DialogButton label={words.customer.new} title={words.customer.newTitle}>
      {(close) => <Fields onAdded={onAdded} close={close} />}
    </DialogButton>
  );
}

/** Not a form: one does not lie within another. */
function Fields({ onAdded, close }: Props & { readonly close: () => void }) {
  const { form, save } = useCustomer(undefined);
  const add = () =>
    void save((customer) => {
      close();
      onAdded(customer);
    });
  const addOnEnter = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.target instanceof HTMLInputElement)) return;
    event.preventDefault();
    add();
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- its fields are what one types into
    <div class="editor" onKeyDown={addOnEnter}>
      {CUSTOMER_FIELDS.map((name) => (
        <Field key={name} filled={form.filled} name={name} />
      ))}
      <FailureBanner trouble={form.trouble} wrong={form.wrong} />
      <div class="actions">
        <Button class="main-action" onClick={add}>
          {form.isBusy ? words.settings.adding : words.customer.addIt}
        </Button>
        <Button onClick={close}>{words.cancel}</Button>
      </div>
    </div>
  );
}
