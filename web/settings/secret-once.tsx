// A secret that the service tells once.
import { useState } from 'preact/hooks';
import { Button } from '../parts/button.js';
import { words } from '../words/words.js';

interface Props {
  readonly secret: string;
  /** What is said of it: of an endpoint's, unless given. */
  readonly of?: { readonly secretOnce: string; readonly secretKeep: string };
}

export function SecretOnce({ secret, of = words.settings }: Props) {
  const [isCopied, setIsCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(secret).catch(() => undefined);
    setIsCopied(true);
  };
  return (
    <div class="panel secret" role="status">
      <p>
        <strong>{of.secretOnce}</strong> {of.secretKeep}
      </p>
      <p>
        <code>{secret}</code>
      </p>
      <p>
        <Button onClick={() => void copy()}>{isCopied ? words.settings.copied : words.settings.copy}</Button>
      </p>
    </div>
  );
}
