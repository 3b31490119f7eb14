// Changes of customers, tanks, sensors and profiles: each a transaction of its own, key by key in turn, and one line in the log: who, which
// object, what was done and the names of the fields, no values.
import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Writer } from './writer.js';
import { MANAGING, type KeyTurns } from '../auth/key-turns.js';
import { Transactions } from '../../platform/database/transactions.js';
import { currentTrail } from '../../platform/tracing/trail.js';
import { LOGGER, type Logger } from '../../platform/logging/logger.js';

export interface Change {
  readonly type: 'customer' | 'tank' | 'sensor_profile' | 'sensor';
  readonly id: string;
  readonly operation: 'create' | 'update' | 'restore' | 'delete';
  readonly fields: readonly string[];
}

export function changeOf(
  type: Change['type'],
  id: string,
  operation: Change['operation'],
  fields: readonly string[],
): Change {
  return { type, id, operation, fields };
}

/** What is there now. `change` is undefined when it was so before. */
export interface WriteResult<T> {
  readonly object: T;
  readonly change?: Change;
}

@Injectable()
export class ManagedWrites {
  constructor(
    private readonly transactions: Transactions,
    @Inject(MANAGING) private readonly turns: KeyTurns,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** When this resolves, it is committed. */
  async run<T>(
    { keyPrefix: key, requestId }: Writer,
    work: (manager: EntityManager) => Promise<WriteResult<T>>,
  ): Promise<WriteResult<T>> {
    const traceId = currentTrail()?.span?.traceId;
    const written = await this.turns.run(key, undefined, () => this.transactions.run(work));
    const { change } = written;
    if (change !== undefined)
      this.logger.info(
        { request_id: requestId, trace_id: traceId, key, ...change },
        `a ${change.type} was changed`,
      );
    return written;
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
