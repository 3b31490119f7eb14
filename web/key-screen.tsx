// Asks for an API key. Nothing of the form is ever submitted: the key stays in this browser's open tabs.
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ProblemError } from 'tank-monitoring-client';
import { detailOf } from './api/troubles.js';
import { Icon } from './parts/icons.js';
import { RequestId } from './parts/trouble.js';
import { words } from './words/words.js';

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
        <h1>{words.page.title}</h1>
        <p>{words.key.advice}</p>
        {refusal !== undefined && (
          <div class="trouble">
            <Icon name="warning" />
            <div>
              <p role="alert" id="refusal">
                {refusal.status === 403 && <strong>{words.key.mayNotSee}</strong>}
                {detailOf(refusal)}
              </p>
              <RequestId trouble={refusal} />
            </div>
          </div>
        )}
        <label>
          {words.key.label}
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
          {words.key.keep}
        </label>
        <p class="note">{words.key.note}</p>
        <button type="submit" class="main-action">
          {words.key.show}
        </button>
      </form>
    </main>
  );
}
