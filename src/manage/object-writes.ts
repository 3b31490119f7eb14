// Answers a request that writes one customer or tank: reads it, finds what is stored, decides, writes. Between the two statements
// nothing is locked: the one that writes does nothing when what was decided upon has changed since, and all begins anew.
import { Inject, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Pool, QueryResultRow } from 'pg';
import { MANAGING, type KeyTurns } from '../auth/key-turns.js';
import { Bodies } from '../bodies/bodies.js';
import { DatabaseOverloaded, isDeadlock } from '../database/failures.js';
import type { Statement, StatementValue } from '../database/named-query.js';
import { MANAGE_POOL } from '../database/pool.js';
import { onOneConnection, type Run } from '../database/writes.js';
import { LOGGER, type Logger } from '../logging/logger.js';
import { decide, type Change, type Found, type Rules, type Wish } from './decide.js';
import {
  checkBodyType,
  MAX_OBJECT_BYTES,
  OBJECT_TOO_LARGE,
  parseRecord,
  type WritingMethod,
} from './json-body.js';
import { refuseParameters } from '../pagination/no-parameters.js';
import { readSent } from './sent-object.js';

type Identified = QueryResultRow & { readonly id: string };

/** Customers, or tanks: the rules, and the two statements. */
export interface Written<Shown extends Identified, Row extends Found & Shown> extends Rules<Shown, Row> {
  /** Always one row, also when there is no such object. */
  readonly find: Statement;
  readonly findValues: (wish: Wish) => StatementValue[];
  /** The row as it is now, or none when it is not as it was found, or something else that matters is not. */
  readonly write: Statement;
  /** After the id, the version and the columns. */
  readonly writeValues: (change: Change, wish: Wish, found: Row) => StatementValue[];
}

interface Answer {
  readonly status: 200 | 201;
  readonly id: string | undefined;
  readonly body: object;
}

/** Each time somebody else was faster. */
const MAX_ATTEMPTS = 100;

const BOUNDS = { isGzip: false, maxBytes: MAX_OBJECT_BYTES, tooLarge: OBJECT_TOO_LARGE };

@Injectable()
export class ObjectWrites {
  constructor(
    private readonly bodies: Bodies,
    @Inject(MANAGE_POOL) private readonly pool: Pool,
    @Inject(MANAGING) private readonly turns: KeyTurns,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** POST, PUT and PATCH. */
  async write<Shown extends Identified, Row extends Found & Shown>(
    kind: Written<Shown, Row>,
    method: WritingMethod,
    request: Request,
    response: Response,
  ): Promise<void> {
    refuseParameters(request);
    checkBodyType(method, request.headers);
    const keyPrefix = request.caller?.keyPrefix ?? '';
    const { status, id, body } = await this.bodies.withText(request, response, keyPrefix, BOUNDS, (text) => {
      const wish = wishOf(request);
      const sent = readSent(kind.resource, method, wish.id, parseRecord(text), Date.now());
      return this.turns.run(keyPrefix, response, () => this.change(kind, { ...wish, method, sent }, request));
    });
    if (method === 'POST') response.location(`/v1/${kind.resource.table}/${id}`);
    response.status(status).json(body);
  }

  async delete<Shown extends Identified, Row extends Found & Shown>(
    kind: Written<Shown, Row>,
    request: Request,
    response: Response,
  ): Promise<void> {
    refuseParameters(request);
    request.resume(); // a body is ignored
    const { status, body } = await this.turns.run(request.caller?.keyPrefix ?? '', response, () =>
      this.change(kind, { ...wishOf(request), method: 'DELETE' }, request),
    );
    response.status(status).json(body);
  }

  private change<Shown extends Identified, Row extends Found & Shown>(
    kind: Written<Shown, Row>,
    wish: Wish,
    request: Request,
  ): Promise<Answer> {
    return onOneConnection(this.pool, async (run) => {
      for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
        const found = await run<Row>(kind.find, kind.findValues(wish));
        if (found === undefined) throw new Error(`${kind.find.name} gave no row.`);
        const change = decide(kind, wish, found, Date.now());
        if (change === undefined) return { status: 200, id: wish.id, body: kind.show(found) };
        const row = await tryToWrite(kind, change, wish, found, run);
        if (row === undefined) continue;
        this.log(kind.resource.object, row.id, change, request);
        const isNew = change.operation === 'create' || change.operation === 'restore';
        return { status: isNew ? 201 : 200, id: row.id, body: kind.show(row) };
      }
      throw new DatabaseOverloaded();
    });
  }

  /** No values. */
  private log(type: string, id: string, { operation, fields }: Change, request: Request): void {
    this.logger.info(
      { request_id: request.requestId, key: request.caller?.keyPrefix, type, id, operation, fields },
      `a ${type} was changed`,
    );
  }
}

function wishOf(request: Request): Pick<Wish, 'id' | 'boundTo' | 'preconditions'> {
  const { caller, params, headers } = request;
  if (caller === undefined) throw new Error('No caller: the API key guard did not run.');
  const { id } = params;
  return {
    id: typeof id === 'string' ? id : undefined,
    boundTo: caller.customerId,
    preconditions: { ifMatch: headers['if-match'], ifNoneMatch: headers['if-none-match'] },
  };
}

/** After a deadlock nothing is stored. */
async function tryToWrite<Shown extends Identified, Row extends Found & Shown>(
  kind: Written<Shown, Row>,
  change: Change,
  wish: Wish,
  found: Row,
  run: Run,
): Promise<Shown | undefined> {
  const given = JSON.stringify(change.columns);
  const values = [wish.id ?? null, found.version, given, ...kind.writeValues(change, wish, found)];
  try {
    return await run<Shown>(kind.write, values);
  } catch (error) {
    if (isDeadlock(error)) return undefined;
    throw error;
  }
}
