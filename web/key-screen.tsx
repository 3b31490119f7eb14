// Asks for an API key. Nothing of the form is ever submitted: the key stays in this browser's open tabs.
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ProblemError } from 'tank-monitoring-client';
import { Icon } from './parts/icons.js';
import { RequestId } from './parts/trouble.js';

interface Props {
  /** Why the key before was not taken. */
  readonly refusal: ProblemError | undefined;
  readonly onKey: (key: string, keepInTab: boolean) => void;
}

export function KeyScreen({ refusal, onKey }: Props) {
  const [key, setKey] = useState('');
  const [keep, setKeep] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (key.trim() !== '') onKey(key.trim(), keep);
  };
  return (
    <main class="key-screen">
      <form onSubmit={submit}>
        <h1>Fleet</h1>
        <p>Sign in with an API key. Your operator makes one with the command line.</p>
        {refusal !== undefined && (
          <div class="trouble">
            <Icon name="warning" />
            <div>
              <p role="alert" id="refusal">
                {refusal.status === 403 && <strong>This key may not see the fleet. </strong>}
                {refusal.detail}
              </p>
              <RequestId trouble={refusal} />
            </div>
          </div>
        )}
        <label>
          API key
          <input
            ref={field}
            type="password"
            name="key"
            autoComplete="off"
            spellcheck={false}
            required
            placeholder="tms_…"
            aria-describedby={refusal === undefined ? undefined : 'refusal'}
            value={key}
            onInput={({ currentTarget }) => setKey(currentTarget.value)}
          />
        </label>
        <label class="choice">
          <input
            type="checkbox"
            checked={keep}
            onChange={({ currentTarget }) => setKeep(currentTarget.checked)}
          />
          Keep it until I close this tab
        </label>
        <p class="note">
          Otherwise it is forgotten when the page is reloaded. Tabs with this page that are open at the same
          time share it; signing out signs out of all of them.
        </p>
        <button type="submit" class="main-action">
          Show the fleet
        </button>
      </form>
    </main>
  );
}
