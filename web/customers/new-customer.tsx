// A customer that is added while a tank is: in a dialog, so that what was entered of the tank stays.
import { useRef } from 'preact/hooks';
import { FailureBanner } from '../form/attempts.js';
import { Field } from '../form/field.js';
import { Button } from '../parts/button.js';
import { CUSTOMER_FIELDS, useCustomer } from './use-customer.js';
import { words } from '../words/words.js';

interface Props {
  readonly onAdded: (customer: { readonly id: string; readonly name: string }) => void;
}

export function NewCustomer({ onAdded }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const { form, save } = useCustomer(undefined);
  // Not a form: one does not lie within another.
  const add = () =>
    void save((customer) => {
      dialog.current?.close();
      onAdded(customer);
    });
  const addOnEnter = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.target instanceof HTMLInputElement)) return;
    event.preventDefault();
    add();
  };
  return (
    <>
      <Button onClick={() => dialog.current?.showModal()}>{words.customer.new}</Button>
      <dialog ref={dialog} aria-labelledby="new-customer" onKeyDown={addOnEnter}>
        <h2 id="new-customer">{words.customer.newTitle}</h2>
        <div class="editor">
          {CUSTOMER_FIELDS.map((name) => (
            <Field key={name} filled={form.filled} name={name} />
          ))}
          <FailureBanner trouble={form.trouble} wrong={form.wrong} />
          <div class="actions">
            <Button class="main-action" onClick={add}>
              {form.isBusy ? words.settings.adding : words.customer.addIt}
            </Button>
            <Button onClick={() => dialog.current?.close()}>{words.cancel}</Button>
          </div>
        </div>
      </dialog>
    </>
  );
}
