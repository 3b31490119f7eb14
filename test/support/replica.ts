// A copy of what a key sees, kept by following the changes as docs/api.md describes it; and what the lists show, to compare.
import type { Pool } from 'pg';

export interface Change {
  readonly object: 'change';
  readonly type: 'customer' | 'tank' | 'telemetry' | 'event';
  readonly id: string;
  readonly created_at: string;
  readonly data: Record<string, unknown>;
}

export interface ChangesPage {
  readonly object: 'changes';
  readonly data: readonly Change[];
  readonly next: string;
  readonly has_more: boolean;
}

/** Places all that is committed, as the background work does within two seconds. Another may be placing some of it. */
export async function placeChanges(sql: Pool, most = 20_000): Promise<void> {
  do {
    await sql.query('select place_changes($1)', [most]);
  } while ((await sql.query('select from change_notes limit 1')).rowCount === 1);
}

interface Reading {
  readonly created_at: string;
  readonly fill_percentage: number;
}

/** Sorted, so that two can be compared. */
export interface Contents {
  readonly customers: Record<string, unknown>;
  readonly tanks: Record<string, unknown>;
  readonly events: Record<string, unknown>;
  /** By tank and instant. */
  readonly readings: Record<string, Record<string, number>>;
}

const sorted = <T>(entries: Iterable<readonly [string, T]>): Record<string, T> =>
  Object.fromEntries([...entries].toSorted(([a], [b]) => (a < b ? -1 : 1)));

export class Client {
  constructor(
    readonly url: string,
    readonly key: string,
  ) {}

  ask(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
    return fetch(`${this.url}${path}`, { headers: { 'X-API-Key': this.key, ...headers } });
  }

  async changes(query: Readonly<Record<string, string>>): Promise<ChangesPage> {
    const response = await this.ask(`/v1/changes?${new URLSearchParams(query).toString()}`);
    if (response.status === 200) return (await response.json()) as ChangesPage;
    throw new Refused(response.status, await response.text());
  }

  /** All rows of a list; nobody writes meanwhile. */
  async list(path: string): Promise<Record<string, unknown>[]> {
    const rows: Record<string, unknown>[] = [];
    for (let page = 1; ; page += 1) {
      const response = await this.ask(`${path}${path.includes('?') ? '&' : '?'}size=10000&page=${page}`, {
        Accept: 'application/x-ndjson',
      });
      const text = await response.text();
      if (response.status !== 200) throw new Refused(response.status, text);
      const found = text
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as Record<string, unknown>);
      rows.push(...found);
      if (found.length < 10_000) return rows;
    }
  }

  /** What the lists show. */
  async contents(): Promise<Contents> {
    const byId = async (path: string) =>
      sorted((await this.list(path)).map((row) => [String(row['id']), row] as const));
    const tanks = await byId('/v1/tanks');
    const readings = await Promise.all(
      Object.keys(tanks).map(async (id) => [id, await this.readings(id)] as const),
    );
    return {
      customers: await byId('/v1/customers'),
      tanks,
      events: await byId('/v1/events'),
      readings: sorted(readings.filter(([, ofTank]) => Object.keys(ofTank).length > 0)),
    };
  }

  /** None of a tank that is gone meanwhile: it comes as deleted. */
  async readings(tank: string, range = ''): Promise<Record<string, number>> {
    const rows = await this.list(`/v1/tanks/${encodeURIComponent(tank)}/telemetry?${range}`).catch(
      (error: unknown) => {
        if (error instanceof Refused && error.status === 404) return [];
        throw error;
      },
    );
    return sorted(rows.map((row) => [String(row['created_at']), Number(row['fill_percentage'])] as const));
  }
}

export class Refused extends Error {
  constructor(
    readonly status: number,
    readonly body: string,
  ) {
    super(`${status} ${body}`);
  }
}

/** Handles a page, and stores its `next` afterwards. */
export class Replica {
  cursor: string;
  private readonly objects: Record<'customer' | 'tank' | 'event', Map<string, unknown>>;
  private readonly readings: Map<string, Map<string, number>>;

  /** `before`: one that goes on elsewhere. */
  constructor(
    readonly client: Client,
    before?: Replica,
  ) {
    this.cursor = before?.cursor ?? '';
    this.objects = before?.objects ?? { customer: new Map(), tank: new Map(), event: new Map() };
    this.readings = before?.readings ?? new Map();
  }

  /** Before anything is there, or at any time: latest, lists, follow. */
  async begin(): Promise<this> {
    this.cursor = (await this.client.changes({ after: 'latest' })).next;
    const { customers, tanks, events, readings } = await this.client.contents();
    for (const known of [...Object.values(this.objects), this.readings]) known.clear();
    for (const [id, object] of Object.entries(customers)) this.objects.customer.set(id, object);
    for (const [id, object] of Object.entries(tanks)) this.objects.tank.set(id, object);
    for (const [id, object] of Object.entries(events)) this.objects.event.set(id, object);
    for (const [id, ofTank] of Object.entries(readings))
      this.readings.set(id, new Map(Object.entries(ofTank)));
    return this;
  }

  /** One page; false when there is nothing more. `crashes`: when it has handled so much of the page it forgets where it was. */
  async step(query: Readonly<Record<string, string>> = {}, crashesAfter = Infinity): Promise<boolean> {
    const page = await this.client.changes({ after: this.cursor, ...query });
    for (const [place, change] of page.data.entries()) {
      if (place >= crashesAfter) return true;
      await this.handle(change);
    }
    if (crashesAfter === Infinity) this.cursor = page.next;
    return page.has_more || page.data.length > 0;
  }

  async catchUp(query: Readonly<Record<string, string>> = {}): Promise<void> {
    while (await this.step(query));
  }

  contents(): Contents {
    const { customer, tank, event } = this.objects;
    const readings = [...this.readings].filter(([, ofTank]) => ofTank.size > 0);
    return {
      customers: sorted(customer),
      tanks: sorted(tank),
      events: sorted(event),
      readings: sorted(readings.map(([id, ofTank]) => [id, sorted(ofTank)] as const)),
    };
  }

  private async handle({ type, id, data }: Change): Promise<void> {
    if (type === 'telemetry') return this.replaceReadings(id, data);
    if (data['deleted'] !== true) this.objects[type].set(id, data);
    else this.objects[type].delete(id);
    if (type === 'tank' && data['deleted'] === true) this.readings.delete(id);
  }

  private async replaceReadings(id: string, data: Change['data']): Promise<void> {
    const {
      created_at_gte: from,
      created_at_lte: to,
      readings,
    } = data as {
      created_at_gte: string;
      created_at_lte: string;
      readings: Reading[] | null;
    };
    const ofTank = this.readings.get(id) ?? new Map<string, number>();
    this.readings.set(id, ofTank);
    for (const at of ofTank.keys()) if (at >= from && at <= to) ofTank.delete(at);
    const now =
      readings?.map(({ created_at, fill_percentage }) => [created_at, fill_percentage] as const) ??
      Object.entries(await this.client.readings(id, `created_at_gte=${from}&created_at_lte=${to}`));
    for (const [at, fill] of now) ofTank.set(at, fill);
  }
}
