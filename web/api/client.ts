// The one place from which the page calls the API. The key goes along as a header; an answer the page has already is not
// sent again (ETag); nothing is left in the browser's cache.
import { setClock } from './clock.js';
import { Refusal, refusalFrom, Unreachable } from './troubles.js';

/** Scripts lie in /fleet/, the API beside it, whatever a proxy puts before both. */
const ROOT = new URL('../', import.meta.url);
const PATIENCE_MS = 20_000;
const REMEMBERED = 10;
/** The most that a page of NDJSON or CSV may have. */
export const LARGEST_PAGE = 10_000;
const JSON_ONLY = { Accept: 'application/json' };

interface Outgoing {
  readonly method?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

interface Remembered {
  readonly etag: string;
  readonly body: unknown;
}

export interface Csv {
  readonly text: string;
  readonly isAll: boolean;
}

/** An object and the tag of its version, by which a change says what it changes. */
export interface Tagged<T> {
  readonly object: T;
  readonly tag: string | undefined;
}

export interface Change {
  readonly method: 'PUT' | 'PATCH' | 'DELETE';
  readonly body?: object;
  /** Of the version that it changes. */
  readonly tag?: string | undefined;
}

export type Parameters = Readonly<Record<string, string | number | boolean | undefined>>;

export class ApiClient {
  private readonly remembered = new Map<string, Remembered>();

  constructor(
    private readonly key: string,
    /** The key is not valid, or not any more, or may not read. */
    private readonly onRefusedKey: (refusal: Refusal) => void,
  ) {}

  /** The same object as before when nothing has changed. */
  async get<T>(path: string, parameters: Parameters = {}, signal?: AbortSignal): Promise<T> {
    const url = addressOf(path, parameters);
    return (await this.ask(url, 'application/json', signal, (response) => response.json())) as T;
  }

  /** Every item of a list, in as few requests as there can be. */
  async all<T>(path: string, parameters: Parameters, signal?: AbortSignal): Promise<readonly T[]> {
    const pages: (readonly T[])[] = [];
    let last = 1;
    for (let page = 1; page <= last; page += 1) {
      const url = addressOf(path, { ...parameters, page, size: LARGEST_PAGE });
      const { items, pageCount } = (await this.ask(url, 'application/x-ndjson', signal, linesOf)) as Lines<T>;
      pages.push(items);
      last = pageCount;
    }
    return pages.length === 1 ? (pages[0] ?? []) : pages.flat();
  }

  async tagged<T>(path: string, signal?: AbortSignal): Promise<Tagged<T>> {
    return this.send(addressOf(path), { headers: JSON_ONLY }, signal, async (response) => ({
      object: (await response.json()) as T,
      tag: response.headers.get('ETag') ?? undefined,
    }));
  }

  async change(path: string, { method, body, tag }: Change): Promise<void> {
    const headers: Record<string, string> = { ...JSON_ONLY };
    if (body !== undefined) headers['Content-Type'] = 'application/json';
    if (tag !== undefined) headers['If-Match'] = tag;
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    await this.send(addressOf(path), { method, headers, ...sent }, undefined, (response) => response.text());
  }

  /** What an address answers as CSV; of a list, as much as there may be at once. */
  async csv(path: string, parameters: Parameters): Promise<Csv> {
    const headers = { Accept: 'text/csv' };
    return this.send(addressOf(path, parameters), { headers }, undefined, async (response) => ({
      text: await response.text(),
      isAll: pageCountOf(response) <= 1,
    }));
  }

  private async ask(
    url: URL,
    accept: string,
    signal: AbortSignal | undefined,
    read: (response: Response) => Promise<unknown>,
  ): Promise<unknown> {
    const name = `${accept} ${url.href}`;
    const known = this.remembered.get(name);
    const condition = known === undefined ? {} : { 'If-None-Match': known.etag };
    return this.send(url, { headers: { Accept: accept, ...condition } }, signal, async (response) => {
      const body = response.status === 304 && known !== undefined ? known.body : await read(response);
      this.remember(name, response.headers.get('ETag') ?? known?.etag, body);
      return body;
    });
  }

  private async send<T>(
    url: URL,
    request: Outgoing,
    signal: AbortSignal | undefined,
    read: (response: Response) => Promise<T>,
  ): Promise<T> {
    const patience = AbortSignal.timeout(PATIENCE_MS);
    try {
      const response = await fetch(url, {
        ...request,
        headers: { ...request.headers, 'X-API-Key': this.key },
        signal: signal === undefined ? patience : AbortSignal.any([signal, patience]),
        cache: 'no-store',
        credentials: 'omit',
        redirect: 'error',
      });
      setClock(response);
      if (!response.ok && response.status !== 304) throw await refusalFrom(response);
      return await read(response);
    } catch (error) {
      if (signal?.aborted === true) throw error; // nobody waits for it any more
      if (error instanceof Refusal && isOfKey(error, request)) this.onRefusedKey(error);
      if (error instanceof Refusal) throw error;
      throw new Unreachable('The service cannot be reached.', { cause: error });
    }
  }

  /** The latest questions only: a long day of looking around must not fill the memory. */
  private remember(name: string, etag: string | undefined, body: unknown): void {
    if (etag === undefined) return;
    this.remembered.delete(name);
    this.remembered.set(name, { etag, body });
    const [oldest] = this.remembered.keys();
    if (this.remembered.size > REMEMBERED && oldest !== undefined) this.remembered.delete(oldest);
  }
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

/** A key that may not change something may still read. */
function isOfKey({ status }: Refusal, { method = 'GET' }: Outgoing): boolean {
  return status === 401 || (status === 403 && method === 'GET');
}

function addressOf(path: string, parameters: Parameters = {}): URL {
  const url = new URL(`v1/${path}`, ROOT);
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) url.searchParams.set(name, String(value));
  }
  return url;
}

interface Lines<T> {
  readonly items: readonly T[];
  readonly pageCount: number;
}

async function linesOf(response: Response): Promise<Lines<unknown>> {
  const text = await response.text();
  const items = text
    .split('\n')
    .filter(Boolean)
    .map((line): unknown => JSON.parse(line));
  return { items, pageCount: pageCountOf(response) };
}

function pageCountOf({ headers }: Response): number {
  return Number(headers.get('X-Total-Pages') ?? 1);
}
