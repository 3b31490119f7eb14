// A kind of object that files of an import or export have lines of.
import type { Type } from '@nestjs/common';

export interface LineKind {
  readonly object: 'customer' | 'tank';
  readonly table: 'customers' | 'tanks';
  readonly entity: Type<object>;
  /** What a line is checked by. */
  readonly line: Type<object>;
  /** As the API shows it. */
  readonly response: Type<object>;
  /** What is shown and not stored, as PostgreSQL computes it for a row that is named after the object. */
  readonly computed: Readonly<Record<string, string>>;
}
