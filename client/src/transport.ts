// One request to the service, tried again where that is safe.
import { ConnectionError, ProblemError, problemFrom } from './problem.js';
import { sleep, within } from './waiting.js';

export interface ClientOptions {
  /** Where the service is, such as `https://tanks.example.com`; what comes before `/v1`, if a proxy adds something. */
  readonly url: string | URL;
  /**
   * Is sent as `X-API-Key`. A function is asked for it once, and once more when the service answers 401: for keys that are replaced. Null on the service's own
   * pages: whoever is signed in there.
   */
  readonly key: string | (() => string | Promise<string>) | null;
  /** Instead of the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** How often a request is tried again. Unless given, for a minute, and at least 3 times: a restart of the service only delays it. */
  readonly maxRetries?: number | undefined;
  /** How long one try may take, the answer included: 60,000, unless given. */
  readonly timeoutMs?: number | undefined;
}

/** For one call. */
export interface RequestOptions {
  /** Ends the call at once, also while it waits for a retry. */
  readonly signal?: AbortSignal | undefined;
  readonly maxRetries?: number | undefined;
  readonly timeoutMs?: number | undefined;
}

export interface Request extends RequestOptions {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With ids encoded: see `address`. */
  readonly path: string;
  readonly query?: object | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Blob;
  /** Whether it does the same when it arrives twice. */
  readonly isRepeatable: boolean;
}

const RETRY_FOR_MS = 60_000;
const LEAST_RETRIES = 3;

/** Without `Retry-After` a retry waits a random time up to this, then up to twice as long, and so on. */
const FIRST_WAIT_MS = 3_000;
const LONGEST_WAIT_MS = 30_000;
/** Who is asked to wait longer is better off with the problem at once. */
const LONGEST_RETRY_AFTER_MS = 120_000;

/** The request was not carried out. */
const NOT_DONE = 429;
/** Nor was this one. */
const NO_KEY = 401;
/** It may have been. 502 and 504 are a proxy's words for a lost connection. */
const PERHAPS_DONE = new Set([408, 502, 503, 504]);

export class Transport {
  private readonly origin: string;
  /** What comes before `/v1`. */
  private readonly prefix: string;
  /** Undefined when the key never changes. */
  private readonly askForKey: (() => string | Promise<string>) | undefined;
  /** Undefined until it is needed. Requests that need it at the same time share it. */
  private key: Promise<string | null> | undefined;
  private readonly fetch: typeof globalThis.fetch;
  private readonly maxRetries: number | undefined;
  readonly timeoutMs: number;

  constructor({ url, key, fetch, maxRetries, timeoutMs = 60_000 }: ClientOptions) {
    const { origin, pathname, username, password } = new URL(url);
    // Both would come up again in the messages of errors.
    if (username !== '' || password !== '') throw new TypeError('The url must not contain a password.');
    if (typeof key === 'function') this.askForKey = key;
    else this.key = Promise.resolve(key === null ? null : checkedKey(key));
    this.origin = origin;
    this.prefix = pathname.replace(/\/$/, '');
    // Looked up with each request: tests and tracing tools replace the global one.
    this.fetch = fetch ?? ((input, init) => globalThis.fetch(input, init));
    this.maxRetries = maxRetries;
    this.timeoutMs = timeoutMs;
  }

  /** `read` takes the answer; when the connection is lost meanwhile, it is asked for anew. */
  async send<T>(request: Request, read: (response: Response) => Promise<T>): Promise<T> {
    const { signal, maxRetries = this.maxRetries } = request;
    const url = this.addressOf(request);
    let firstFailure: number | undefined;
    let mayAskAgain = this.askForKey !== undefined;
    for (let retries = 0; ; retries += 1) {
      const key = (this.key ??= this.nextKey());
      try {
        return await this.sendOnce(url, request, await within(Infinity, signal, () => key), read);
      } catch (error) {
        if (mayAskAgain && error instanceof ProblemError && error.status === NO_KEY) {
          if (this.key === key) this.key = undefined; // unless another request has a new one already
          mayAskAgain = false;
          retries -= 1;
          continue;
        }
        firstFailure ??= performance.now();
        const isTimeLeft = performance.now() - firstFailure < RETRY_FOR_MS;
        const mayGoOn =
          maxRetries === undefined ? isTimeLeft || retries < LEAST_RETRIES : retries < maxRetries;
        if (!mayGoOn || !mayRepeat(request, error)) throw error;
        const asked = error instanceof ProblemError ? error.retryAfterMs : undefined;
        if (asked !== undefined && asked > LONGEST_RETRY_AFTER_MS && maxRetries !== Infinity) throw error;
        await sleep(asked ?? waitBefore(retries), signal);
      }
    }
  }

  private async nextKey(): Promise<string> {
    try {
      return checkedKey(await Promise.resolve().then(this.askForKey)); // not before the promise is kept
    } catch (error) {
      this.key = undefined; // the next request asks again
      throw error;
    }
  }

  private async sendOnce<T>(
    url: URL,
    request: Request,
    key: string | null,
    read: (response: Response) => Promise<T>,
  ): Promise<T> {
    const { method = 'GET', body, signal, timeoutMs = this.timeoutMs } = request;
    const { fetch } = this;
    const headers = new Headers({ Accept: 'application/json', ...(key !== null && { 'X-API-Key': key }) });
    for (const [name, value] of Object.entries(request.headers ?? {})) headers.set(name, value);
    try {
      return await within(timeoutMs, signal, async (ended) => {
        const response = await fetch(url, {
          method,
          headers,
          ...(body === undefined ? {} : { body }),
          signal: ended,
          cache: 'no-store', // what one key sees is not for the next
          credentials: key === null ? 'same-origin' : 'omit',
          redirect: 'manual', // the key is for nobody else
        });
        if (!response.ok) throw await problemFrom(response);
        return await read(response);
      });
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof ProblemError) throw error;
      throw new ConnectionError(`No answer from ${this.origin}: ${reasonOf(error)}`, { cause: error });
    }
  }

  private addressOf({ path, query = {} }: Request): URL {
    if (!path.startsWith('/')) throw new TypeError(`Not a path: ${path}`);
    const url = new URL(this.origin + this.prefix + path); // nothing in a path leads to another host
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) url.searchParams.set(name, String(value));
    }
    return url;
  }
}

function checkedKey(key: unknown): string {
  if (typeof key !== 'string' || /[^\x21-\x7e]/.test(key)) throw new TypeError('This is not a key.');
  return key;
}

function mayRepeat({ isRepeatable, signal }: Request, error: unknown): boolean {
  if (signal?.aborted === true) return false;
  if (error instanceof ConnectionError) return isRepeatable;
  if (!(error instanceof ProblemError)) return false;
  return error.status === NOT_DONE || (isRepeatable && PERHAPS_DONE.has(error.status));
}

/** `fetch` itself says no more than that it failed. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : reasonOf(error.cause) || error.message;
}

/** Full jitter: many that failed at once do not come back at once. */
function waitBefore(retries: number): number {
  return Math.random() * Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** retries);
}

/** An address with ids in it, each as one part of the path. */
export function address(parts: TemplateStringsArray, ...ids: readonly string[]): string {
  return String.raw({ raw: parts }, ...ids.map(partOf));
}

/** Empty, or understood as "this folder" or "the one above" by every URL, it would lead somewhere else. */
function partOf(id: string): string {
  if (typeof id !== 'string' || id === '' || id === '.' || id === '..')
    throw new TypeError(`Not an id that can stand in an address: ${JSON.stringify(id)}`);
  return encodeURIComponent(id);
}
