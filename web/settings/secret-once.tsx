// A secret that the service tells once.
import { useState } from 'preact/hooks';

export function SecretOnce({ secret }: { readonly secret: string }) {
  const [isCopied, setIsCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(secret).catch(() => undefined);
    setIsCopied(true);
  };
  return (
    <div class="panel secret" role="status">
      <p>
        <strong>The endpoint’s secret, shown this once.</strong> Keep it where your program checks signatures.
      </p>
      <p>
        <code>{secret}</code>
      </p>
      <p>
        <button type="button" onClick={() => void copy()}>
          {isCopied ? 'Copied' : 'Copy'}
        </button>
      </p>
    </div>
  );
}
