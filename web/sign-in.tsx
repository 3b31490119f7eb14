// Asks who is there: with the company's identity provider, or with an API key, which becomes a session and is kept nowhere.
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Me, ProblemError } from 'tank-monitoring-client';
import { addressOfLogin } from './api/service.js';
import { detailOf, type Trouble } from './api/troubles.js';
import { useAttempt } from './form/attempts.js';
import { Input, Tickable, useTyped } from './form/inputs.js';
import { Button } from './parts/button.js';
import { Icon } from './parts/icons.js';
import { RequestId } from './parts/trouble.js';
import { company, hasProvider } from './session.js';
import { words } from './words/words.js';

interface Props {
  /** Why the session before has ended. */
  readonly refusal: ProblemError | undefined;
  readonly onKey: (key: string, stays: boolean) => Promise<void>;
}

export function SignIn({ refusal, onKey }: Props) {
  return (
    <main class="key-screen">
      <section>
        <h1>
          {company !== undefined && <span class="second">{company} </span>}
          {words.page.brand}
        </h1>
        {refusal !== undefined && <Refusal trouble={refusal} />}
        {hasProvider ? (
          <>
            <a class="button main-action" href={addressOfLogin()}>
              {words.signIn.signIn}
            </a>
            <details>
              <summary>{words.signIn.orKey}</summary>
              <KeyForm onKey={onKey} />
            </details>
          </>
        ) : (
          <KeyForm onKey={onKey} />
        )}
      </section>
    </main>
  );
}

function KeyForm({ onKey }: Pick<Props, 'onKey'>) {
  const [key, setKey] = useTyped('');
  const [stays, setStays] = useState(false);
  const { isBusy, trouble, attempt } = useAttempt();
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => (hasProvider ? undefined : field.current?.focus()), []);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (key.trim() !== '') void attempt(() => onKey(key.trim(), stays));
  };
  return (
    <form onSubmit={submit}>
      <p>{words.signIn.advice}</p>
      <label>
        {words.signIn.label}
        <Input
          field={field}
          type="password"
          name="key"
          autoComplete="off"
          spellcheck={false}
          required
          placeholder="tms_…"
          aria-describedby={trouble === undefined ? undefined : 'refusal'}
          value={key}
          onType={setKey}
        />
      </label>
      {trouble !== undefined && <Refusal trouble={trouble} id="refusal" />}
      <label class="choice">
        <Tickable
          type="checkbox"
          checked={stays}
          onChange={({ currentTarget }) => setStays(currentTarget.checked)}
        />
        {words.signIn.stay}
      </label>
      <p class="note">{words.signIn.note}</p>
      <button type="submit" class={hasProvider ? undefined : 'main-action'}>
        {isBusy ? words.loading : words.signIn.withKey}
      </button>
    </form>
  );
}

function Refusal({ trouble, id }: { readonly trouble: Trouble; readonly id?: string }) {
  return (
    <div class="trouble">
      <Icon name="warning" />
      <div>
        <p role="alert" id={id}>
          {detailOf(trouble)}
        </p>
        <RequestId trouble={trouble} />
      </div>
    </div>
  );
}

/** For somebody whom nobody has given a role, and for a key that may not look. */
export function NoRole({ me, onCheck, onSignOut }: { me: Me; onCheck: () => void; onSignOut: () => void }) {
  const isUser = me.kind === 'user';
  return (
    <main class="key-screen">
      <section>
        <h1>{isUser ? words.signIn.noRole : words.signIn.mayNotLook}</h1>
        <p>{isUser ? words.signIn.askForRole(me.email ?? me.name) : words.signIn.askForKey(me.name)}</p>
        <Button class="main-action" onClick={onCheck}>
          {words.signIn.lookAgain}
        </Button>
        <Button onClick={onSignOut}>{words.page.signOut}</Button>
      </section>
    </main>
  );
}
