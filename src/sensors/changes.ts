// What requests that write a profile or a sensor have in common: their body, their preconditions, trying again when somebody else
// was faster, and one line in the log.
import { Inject, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Pool } from 'pg';
import { MANAGING, type KeyTurns } from '../auth/key-turns.js';
import { Bodies } from '../bodies/bodies.js';
import { DatabaseOverloaded, isDeadlock } from '../database/failures.js';
import { MANAGE_POOL } from '../database/pool.js';
import { onOneConnection, type Run } from '../database/writes.js';
import type { JsonRecord } from '../fields/resource.js';
import { etagOf } from '../http/etag.js';
import { LOGGER, type Logger } from '../logging/logger.js';
import { checkBodyType, MAX_OBJECT_BYTES, OBJECT_TOO_LARGE, parseRecord } from '../manage/json-body.js';
import { areMet } from '../manage/preconditions.js';
import { preconditionFailed } from '../manage/problems.js';
import { refuseParameters } from '../pagination/no-parameters.js';

export interface Change {
  readonly type: 'sensor_profile' | 'sensor';
  readonly id: string;
  readonly operation: 'create' | 'update' | 'delete';
  readonly fields: readonly string[];
}

export interface Answer {
  readonly status: 200 | 201;
  readonly body: object;
  /** Undefined when nothing changed. */
  readonly change?: Change;
}

const MAX_ATTEMPTS = 100;

const BOUNDS = { isGzip: false, maxBytes: MAX_OBJECT_BYTES, tooLarge: OBJECT_TOO_LARGE };

@Injectable()
export class Changes {
  constructor(
    private readonly bodies: Bodies,
    @Inject(MANAGE_POOL) private readonly pool: Pool,
    @Inject(MANAGING) private readonly turns: KeyTurns,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** `attempt` returns undefined when what it found is not so any more. */
  async write(
    method: 'PUT' | 'PATCH',
    request: Request,
    response: Response,
    attempt: (body: JsonRecord, run: Run) => Promise<Answer | undefined>,
  ): Promise<void> {
    refuseParameters(request);
    checkBodyType(method, request.headers);
    const keyPrefix = request.caller?.keyPrefix ?? '';
    const answer = await this.bodies.withText(request, response, keyPrefix, BOUNDS, (text) => {
      const body = parseRecord(text);
      return this.turns.run(keyPrefix, response, () => this.untilDone((run) => attempt(body, run)));
    });
    this.send(answer, request, response);
  }

  async delete(
    request: Request,
    response: Response,
    attempt: (run: Run) => Promise<Answer | undefined>,
  ): Promise<void> {
    refuseParameters(request);
    request.resume(); // a body is ignored
    const answer = await this.turns.run(request.caller?.keyPrefix ?? '', response, () =>
      this.untilDone(attempt),
    );
    this.send(answer, request, response);
  }

  private untilDone(attempt: (run: Run) => Promise<Answer | undefined>): Promise<Answer> {
    return onOneConnection(this.pool, async (run) => {
      for (let count = 1; count <= MAX_ATTEMPTS; count += 1) {
        const answer = await attempt(run).catch((error: unknown) => {
          if (isDeadlock(error)) return undefined; // nothing is stored
          throw error;
        });
        if (answer !== undefined) return answer;
      }
      throw new DatabaseOverloaded();
    });
  }

  private send({ status, body, change }: Answer, request: Request, response: Response): void {
    if (change !== undefined) {
      const { requestId: request_id, caller } = request;
      this.logger.info({ request_id, key: caller?.keyPrefix, ...change }, `a ${change.type} was changed`);
    }
    response.status(status).json(body);
  }
}

/** `shown` is what a GET shows; undefined for nothing. */
export function checkPreconditions({ headers }: Request, object: string, shown: object | undefined): void {
  const { 'if-match': ifMatch, 'if-none-match': ifNoneMatch } = headers;
  if (ifMatch === undefined && ifNoneMatch === undefined) return;
  const current = shown && { etag: etagOf(JSON.stringify(shown)), isDeleted: false };
  if (!areMet({ ifMatch, ifNoneMatch }, current)) throw preconditionFailed(object);
}
