// The shell of a form: its fields, what is said when it was not done, and the ways to save, leave and delete.
import type { ComponentChildren } from 'preact';
import { Button } from '../parts/button.js';
import { Link } from '../parts/link.js';
import type { Route } from '../route.js';
import { FailureBanner } from './attempts.js';
import type { Form } from './use-form.js';
import { words } from '../words/words.js';

interface Props {
  readonly form: Pick<Form<string>, 'isBusy' | 'trouble' | 'wrong'>;
  /** What saving is called, and what is said meanwhile. */
  readonly label: string;
  readonly busy?: string;
  readonly onSave: () => Promise<void>;
  /** Where it leads to leave it, or how. */
  readonly cancel?: Route | (() => void) | undefined;
  /** What is said when somebody else has changed it. */
  readonly meanwhile?: ComponentChildren;
  /** The button that deletes it. */
  readonly removal?: ComponentChildren;
  readonly children: ComponentChildren;
}

export function Editor({
  form,
  label,
  busy = words.saving,
  onSave,
  cancel,
  meanwhile,
  removal,
  children,
}: Props) {
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    void onSave();
  };
  return (
    <form class="editor" noValidate onSubmit={submit}>
      {children}
      <FailureBanner trouble={form.trouble} wrong={form.wrong} />
      {meanwhile}
      <div class="actions">
        <button type="submit" class="main-action">
          {form.isBusy ? busy : label}
        </button>
        {typeof cancel === 'function' && <Button onClick={cancel}>{words.cancel}</Button>}
        {typeof cancel === 'object' && (
          <Link to={cancel} class="button">
            {words.cancel}
          </Link>
        )}
        {removal}
      </div>
    </form>
  );
}
