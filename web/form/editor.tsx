// The shell of a form: its fields, what is said when it was not done, and the ways to save, leave and delete.
import type { ComponentChildren } from 'preact';
import { usePage } from '../page.js';
import { Button } from '../parts/button.js';
import { Link } from '../parts/link.js';
import { NotAllowed } from '../parts/not-allowed.js';
import { Instead } from '../parts/trouble.js';
import { View } from '../parts/view.js';
import { addressOf, type Route } from '../route.js';
import { useFresh } from '../use-fresh.js';
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

interface FormFrameProps<Opened> {
  readonly titleOf: (opened: Opened | undefined) => string;
  readonly back: Route;
  /** What is there. */
  readonly behind: keyof typeof words.backTo;
  readonly kind: 'tank' | 'customer' | 'source';
  readonly may: boolean;
  /** What it is filled in with at first. Null: there is none. */
  readonly open: (signal: AbortSignal) => Promise<Opened | null>;
  readonly children: (opened: Opened) => ComponentChildren;
}

/** The view around a form: the way back, its title, and what is said when there is nothing to fill in. */
export function FormFrame<Opened>(props: FormFrameProps<Opened>) {
  const { titleOf, back, behind, kind, may, open, children } = props;
  const { ownKey } = usePage();
  const fresh = useFresh(may ? ['form', addressOf(back), behind, titleOf(undefined)] : undefined, open, {
    once: true,
  });
  const opened = fresh.data ?? undefined;
  return (
    <View title={titleOf(opened)} back={back} behind={behind} fresh={[ownKey, fresh]} isTimed={false}>
      {!may && <NotAllowed scope={kind === 'customer' ? 'customers:write' : 'tanks:write'} />}
      {fresh.data === null && <Instead title={words.form.noSuch[kind]} note={words.ofThoseSeen} />}
      {opened !== undefined && children(opened)}
    </View>
  );
}
