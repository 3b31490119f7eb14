// The next piece of a long walk, as a service returns it; PaginationInterceptor makes the answer of it.
import type { Type } from '@nestjs/common';
import type { FormattedQuery } from './formatted.query.js';

/** The objects, or for NDJSON their lines: of so many, one or the other. */
interface WalkedItems<T extends object> {
  readonly objects: readonly T[];
  readonly lines: string;
}

export class WalkPage<T extends object> {
  constructor(
    /** What the answer calls itself in JSON. */
    readonly object: string,
    /** Its fields are the columns of a CSV file. */
    readonly rowType: Type<T>,
    readonly items: WalkedItems<T>,
    /** Where to go on; null after the last. */
    readonly next: string | null,
    readonly query: FormattedQuery,
  ) {}
}
