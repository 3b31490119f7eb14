// A secret that the service tells once.
import { useState } from 'preact/hooks';
import { words } from '../words/words.js';

export function SecretOnce({ secret }: { readonly secret: string }) {
  const [isCopied, setIsCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(secret).catch(() => undefined);
    setIsCopied(true);
  };
  return (
    <div class="panel secret" role="status">
      <p>
        <strong>{words.settings.secretOnce}</strong> {words.settings.secretKeep}
      </p>
      <p>
        <code>{secret}</code>
      </p>
      <p>
        <button type="button" onClick={() => void copy()}>
          {isCopied ? words.settings.copied : words.settings.copy}
        </button>
      </p>
    </div>
  );
}
