// The API as the page asks it: an answer that the page has already is not sent again (ETag), every answer tells the service's time, and
// a key that is refused is reported. Nothing is left in the browser's cache.
import { ProblemError, TankMonitoring } from 'tank-monitoring-client';
import { setClock } from './clock.js';

/** Scripts lie in /fleet/, the API beside it, whatever a proxy puts before both. */
const ROOT = new URL('../', import.meta.url);
const PATIENCE_MS = 20_000;
const REMEMBERED = 10;
/** Files are saved once, and may be large. */
const FILE = 'text/csv';

interface Remembered {
  readonly etag: string;
  readonly headers: Headers;
  readonly text: string;
}

/** `onRefusedKey`: the key is not valid, or not any more, or may not read. */
export function connect(key: string, onRefusedKey: (problem: ProblemError) => void): TankMonitoring {
  return new TankMonitoring({
    url: ROOT,
    key,
    fetch: rememberingFetch(onRefusedKey),
    timeoutMs: PATIENCE_MS,
    maxRetries: 0, // the page asks again by itself, and shows that it does
  });
}

function rememberingFetch(onRefusedKey: (problem: ProblemError) => void): typeof fetch {
  const remembered = new Map<string, Remembered>();
  /** The latest questions only: a long day of looking around must not fill the memory. */
  const remember = (name: string, answer: Remembered) => {
    remembered.delete(name);
    remembered.set(name, answer);
    const [oldest] = remembered.keys();
    if (remembered.size > REMEMBERED && oldest !== undefined) remembered.delete(oldest);
  };
  return async (input, init = {}) => {
    const headers = new Headers(init.headers);
    const address = input instanceof Request ? input.url : input.toString();
    const name = `${init.method} ${headers.get('Accept')} ${address}`;
    const known = remembered.get(name);
    if (known !== undefined) headers.set('If-None-Match', known.etag);
    const response = await fetch(input, { ...init, headers });
    setClock(response);
    if (isOfKey(response, init)) onRefusedKey(await problemIn(response.clone()));
    const etag = response.headers.get('ETag');
    const isNew = response.ok && init.method === 'GET' && etag !== null && headers.get('Accept') !== FILE;
    const answer = isNew ? { etag, headers: response.headers, text: await response.text() } : known;
    if (answer === undefined || !(isNew || response.status === 304)) return response;
    remember(name, answer);
    return new Response(answer.text, { headers: answer.headers });
  };
}

/** A key that may not change something may still read. */
function isOfKey({ status }: Response, { method }: RequestInit): boolean {
  return status === 401 || (status === 403 && method === 'GET');
}

/** A proxy in between may answer with something else than a problem. */
async function problemIn(response: Response): Promise<ProblemError> {
  const problem: unknown = await response.json().catch(() => ({}));
  return new ProblemError(response.status, problem as Record<string, unknown>);
}

/** Only in the demo, whose page is already signed in. */
export async function fetchDemoKey(): Promise<string | undefined> {
  try {
    const response = await fetch(new URL('fleet/demo-key', ROOT), { cache: 'no-store' });
    return response.ok ? ((await response.json()) as { key: string }).key : undefined;
  } catch {
    return undefined;
  }
}
