// Forgets a customer for good, over HTTP and by the command line alike. What that takes is one function of the database, so that the role of
// the service need not be able to change events and activity.
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { noSuch } from '../common/problems/problem.js';
import {
  describeChange,
  ERASED,
  RecordedWrites,
  requireConditions,
} from '../common/writes/recorded-writes.js';
import type { Writer, WriteResult } from '../common/writes/recorded-writes.js';
import { lockCustomer } from '../customers/customers.service.js';
import { showCustomer } from '../customers/dto/customer.response.js';
import type { ErasureResponse } from './dto/erasure.response.js';

/** So few that a transaction takes a second or less. */
const TANKS_AT_ONCE = 500;

/** Erases some tanks if there are more than so many. */
const ERASE_SOME = `
  select case when count(*) > $2 then erase_tanks($1, $2) else 0 end as n
  from (select from tanks where owner_id = $1 and not erased limit $2 + 1) few`;

type Counts = Omit<ErasureResponse, 'object' | 'customer_id'>;

@Injectable()
export class Erasure {
  constructor(private readonly writes: RecordedWrites) {}

  /**
   * Again, it changes nothing and counts nothing. The tanks of a customer with many are erased before all else, in transactions of their own:
   * where that is interrupted, whoever sends it again goes on there.
   */
  async run(id: string, writer: Writer): Promise<WriteResult<ErasureResponse>> {
    const withoutConditions = { ...writer, ifMatch: undefined, ifNoneMatch: undefined };
    let before = 0;
    for (let n = TANKS_AT_ONCE; n > 0; before += n)
      n = await this.eraseSomeTanks(id, before === 0 ? writer : withoutConditions);
    return this.eraseRest(id, before === 0 ? writer : withoutConditions, before);
  }

  /** Returns how many; none where the rest is few enough to be erased with the customer. */
  private async eraseSomeTanks(id: string, writer: Writer): Promise<number> {
    const { object } = await this.writes.run(writer, async (manager) => {
      await lockThere(manager, id, writer);
      const [{ n }] = await manager.query<[{ n: number }]>(ERASE_SOME, [id, TANKS_AT_ONCE]);
      return { object: { n } };
    });
    return object.n;
  }

  private eraseRest(id: string, writer: Writer, tanksBefore: number): Promise<WriteResult<ErasureResponse>> {
    return this.writes.run(writer, async (manager) => {
      await lockThere(manager, id, writer);
      const [{ counts, is_changed: isChanged }] = await manager.query<
        [{ counts: Counts; is_changed: boolean }]
      >('select counts, is_changed from erase_customer($1)', [id]);
      const tanks = counts.tanks + tanksBefore;
      const object = { object: 'erasure', customer_id: id, ...counts, tanks } as const;
      if (!isChanged) return { object };
      const fields = ['name', 'email', 'phone', 'deleted'];
      return {
        object,
        change: describeChange('customer', id, 'erase', fields, { ownerId: id, before: ERASED }),
      };
    });
  }
}

async function lockThere(manager: EntityManager, id: string, writer: Writer): Promise<void> {
  await manager.query('lock table tanks in row exclusive mode'); // before the customer, as all who change tanks
  const stored = await lockCustomer(manager, id, writer);
  if (stored === null) throw noSuch('customer');
  requireConditions(writer, 'customer', showCustomer(stored));
}
