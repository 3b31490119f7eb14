// Forgets a customer for good, over HTTP and by the command line alike. What that takes is one function of the database, so that the role of
// the service need not be able to change events and activity.
import { Injectable } from '@nestjs/common';
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

type Counts = Omit<ErasureResponse, 'object' | 'customer_id'>;

@Injectable()
export class Erasure {
  constructor(private readonly writes: RecordedWrites) {}

  /** Again, it changes nothing and counts nothing. */
  run(id: string, writer: Writer): Promise<WriteResult<ErasureResponse>> {
    return this.writes.run(writer, async (manager) => {
      await manager.query('lock table tanks in row exclusive mode'); // before the customer, as all who change tanks
      const stored = await lockCustomer(manager, id, writer);
      if (stored === null) throw noSuch('customer');
      requireConditions(writer, 'customer', showCustomer(stored));
      const [{ counts, is_changed: isChanged }] = await manager.query<
        [{ counts: Counts; is_changed: boolean }]
      >('select counts, is_changed from erase_customer($1)', [id]);
      const object = { object: 'erasure', customer_id: id, ...counts } as const;
      if (!isChanged) return { object };
      const fields = ['name', 'email', 'phone', 'deleted'];
      return {
        object,
        change: describeChange('customer', id, 'erase', fields, { ownerId: id, before: ERASED }),
      };
    });
  }
}
