// The sources that uplinks come by. A change acts at once in the process that made it, and everywhere after CACHE_MS.
import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { FRESH_READS, Reads, type Statement } from '../platform/database/reads.js';
import type { Source } from './source.entity.js';

const CACHE_MS = 2_000;

export type FoundSource = Pick<Source, 'id' | 'built_in' | 'customer_id' | 'rules'>;

/** The source of a deleted customer is none, as its keys are none. */
const FIND: Statement = {
  name: 'source_of_uplinks',
  text: `
    select id, built_in, customer_id, rules from sources
    where id = $1
      and (customer_id is null or exists (select from customers where id = sources.customer_id and not deleted))`,
};

interface Known {
  readonly source: FoundSource | undefined;
  readonly asOf: number;
}

/** How many changes this process made: what was read before the last one may be old. */
let changes = 0;

export function noteChangedSource(): void {
  changes += 1;
}

@Injectable()
export class SourceCatalog {
  private readonly known = new LRUCache<string, Known>({ max: 1_000, ttl: CACHE_MS });
  /** Apart, so that ids which nobody has push out none that somebody uses. */
  private readonly unknown = new LRUCache<string, Known>({ max: 1_000, ttl: CACHE_MS });

  constructor(@Inject(FRESH_READS) private readonly reads: Pick<Reads, 'firstRow'>) {}

  /** One that a key of this customer sees; null sees all. */
  async find(id: string, boundTo: string | null): Promise<FoundSource | undefined> {
    const known = this.known.get(id) ?? this.unknown.get(id);
    const source = known?.asOf === changes ? known.source : await this.read(id);
    const isSeen = boundTo === null || source?.customer_id === null || source?.customer_id === boundTo;
    return isSeen ? source : undefined;
  }

  private async read(id: string): Promise<FoundSource | undefined> {
    const asOf = changes;
    const start = performance.now();
    const source = await this.reads.firstRow<FoundSource>(FIND, [id]);
    if (source === undefined) this.known.delete(id);
    else this.unknown.delete(id);
    (source === undefined ? this.unknown : this.known).set(id, { source, asOf }, { start });
    return source;
  }
}
