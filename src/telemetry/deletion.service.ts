// Removes wrong readings of a tank. Counts, the tank's state and the feed of changes follow in the same transaction.
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { badRequest, noSuch } from '../common/problems/problem.js';
import { actorOf, changeOf, ManagedWrites } from '../common/writes/managed-writes.js';
import type { Writer, WriteResult } from '../common/writes/managed-writes.js';
import { isDeleted } from '../common/writes/problems.js';
import { isStorable } from '../platform/database/reads.js';
import type { DeletionQuery, DeletionResponse } from './dto/deletion.response.js';

export const MAX_DELETED = 10_000;

interface Deletion {
  readonly outcome: 'removed' | 'unknown' | 'deleted' | 'too_many';
  readonly owner: string;
  readonly removed: number;
}

export const tooManyToDelete = () =>
  badRequest(
    'range_too_large',
    `The range holds more than ${MAX_DELETED} readings; choose a shorter one. Nothing was removed.`,
  );

@Injectable()
export class DeletionService {
  constructor(private readonly writes: ManagedWrites) {}

  async remove(tankId: string, query: DeletionQuery, writer: Writer): Promise<DeletionResponse> {
    if (!isStorable(tankId)) throw noSuch('tank');
    const { object } = await this.writes.run(writer, (manager) =>
      this.removeIn(manager, tankId, query, writer),
    );
    return object;
  }

  /** In the transaction of `manager`. */
  private async removeIn(
    manager: EntityManager,
    tankId: string,
    query: DeletionQuery,
    writer: Writer,
  ): Promise<WriteResult<DeletionResponse>> {
    const actor = JSON.stringify(actorOf(writer));
    const [deletion] = await manager.query<Deletion[]>(
      'select outcome, owner, removed from remove_readings($1, $2, $3, $4, $5, $6)',
      [tankId, writer.customerId, query.since, query.until, MAX_DELETED, actor],
    );
    if (deletion === undefined || deletion.outcome === 'unknown') throw noSuch('tank');
    if (deletion.outcome === 'deleted') throw isDeleted('tank');
    if (deletion.outcome === 'too_many') throw tooManyToDelete();
    const { owner: ownerId, removed } = deletion;
    const object = { object: 'deletion', deleted: removed } as const;
    if (removed === 0) return { object };
    return { object, change: changeOf('tank', tankId, 'delete_readings', [], { ownerId }) };
  }
}
