// The API as the page asks it: an answer that the page has already is not sent again (ETag), every answer tells the service's time, and
// a session that has ended is reported. Nothing is left in the browser's cache.
import { ConnectionError, ProblemError, TankMonitoring, type Me } from 'tank-monitoring-client';
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

interface Refused {
  /** The session has ended. */
  readonly onEnd: (problem: ProblemError) => void;
  /** Something may not be read: the role may be another one now. */
  readonly onForbidden: () => void;
}

/** As whoever is signed in. */
export function connect(refused: Refused): TankMonitoring {
  return new TankMonitoring({
    url: ROOT,
    key: null,
    fetch: rememberingFetch(refused),
    timeoutMs: PATIENCE_MS,
    maxRetries: 0, // the page asks again by itself, and shows that it does
  });
}

function rememberingFetch({ onEnd, onForbidden }: Refused): typeof fetch {
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
    if (response.status === 401) onEnd(await problemIn(response.clone()));
    if (response.status === 403 && init.method === 'GET') onForbidden();
    const etag = response.headers.get('ETag');
    const isNew = response.ok && init.method === 'GET' && etag !== null && headers.get('Accept') !== FILE;
    const answer = isNew ? { etag, headers: response.headers, text: await response.text() } : known;
    if (answer === undefined || !(isNew || response.status === 304)) return response;
    remember(name, answer);
    return new Response(answer.text, { headers: answer.headers });
  };
}

/** A proxy in between may answer with something else than a problem. */
async function problemIn(response: Response): Promise<ProblemError> {
  const problem: unknown = await response.json().catch(() => ({}));
  return new ProblemError(response.status, problem as Record<string, unknown>);
}

/** Who is signed in; undefined: nobody. */
export async function whoIsThere(): Promise<Me | undefined> {
  const response = await fetch(new URL('v1/me', ROOT), { cache: 'no-store' });
  if (response.status === 401) return undefined;
  return meIn(response);
}

/** The session that the key becomes is the browser's, also in its other tabs. */
export async function signInWith(key: string, stay: boolean): Promise<Me> {
  return meIn(await post('auth/key', { key, stay }));
}

export async function signOut(): Promise<void> {
  const response = await post('auth/logout', {});
  if (!response.ok) throw await problemIn(response);
}

/** Of the company's identity provider, which leads back to what is shown now. */
export function addressOfLogin(): string {
  const { pathname, search, hash } = location;
  return new URL(`auth/login?to=${encodeURIComponent(pathname + search + hash)}`, ROOT).href;
}

/** Only in the demo, whose visitors are signed in. */
export async function fetchDemoKey(): Promise<string> {
  const response = await fetch(new URL('fleet/demo-key', ROOT), { cache: 'no-store' });
  return ((await response.json()) as { key: string }).key;
}

function post(path: string, body: object): Promise<Response> {
  const headers = { 'Content-Type': 'application/json' };
  return fetch(new URL(path, ROOT), { method: 'POST', headers, body: JSON.stringify(body) }).catch(
    (error: unknown) => {
      throw new ConnectionError('No answer.', { cause: error });
    },
  );
}

async function meIn(response: Response): Promise<Me> {
  if (!response.ok) throw await problemIn(response);
  return (await response.json()) as Me;
}
