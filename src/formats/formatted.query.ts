// The parameters of an address that answers in several formats. The format itself is none of them: it comes from Accept.
import type { MediaType } from './media-types.js';
import type { RowFormat } from './rows.js';

export abstract class FormattedQuery {
  /** Private, since every other property is a parameter. */
  #format: MediaType = 'application/json';

  /** By the pipe, before the parameters are checked: what some of them may be depends on it. */
  set format(format: MediaType) {
    this.#format = format;
  }

  /** Its answer may take long to find or to write. */
  get isLong(): boolean {
    return false;
  }

  /** The format when it is not JSON. */
  get rowFormat(): RowFormat | undefined {
    return this.#format === 'application/json' ? undefined : this.#format;
  }
}
