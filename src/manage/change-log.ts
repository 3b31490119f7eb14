// Every change of an object leaves one line: who, which object, what was done and the names of the fields, no values.
import { Inject, Injectable } from '@nestjs/common';
import type { CallerOfRequest } from '../auth/caller.js';
import { LOGGER, type Logger } from '../logging/logger.js';

export interface Change {
  readonly type: string;
  readonly id: string;
  readonly operation: 'create' | 'update' | 'restore' | 'delete';
  readonly fields: readonly string[];
}

@Injectable()
export class ChangeLog {
  constructor(@Inject(LOGGER) private readonly logger: Logger) {}

  note(change: Change, { keyPrefix: key, requestId }: CallerOfRequest): void {
    this.logger.info({ request_id: requestId, key, ...change }, `a ${change.type} was changed`);
  }
}

/** The names of the fields that differ, those within another object with its name before them. */
export function changedFields(before: object, next: object): string[] {
  const [was, is] = [flat(before), flat(next)];
  return Object.keys(is).filter((name) => (was[name] ?? null) !== (is[name] ?? null));
}

function flat(object: object, outer = ''): Record<string, unknown> {
  return Object.assign(
    {},
    ...Object.entries(object).map(([name, value]: [string, unknown]) => {
      if (value instanceof Date) return { [outer + name]: value.getTime() };
      return typeof value === 'object' && value !== null
        ? flat(value, `${outer}${name}.`)
        : { [outer + name]: value };
    }),
  ) as Record<string, unknown>;
}
