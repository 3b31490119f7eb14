// Fields that belong to the service, which whoever sends back what was read sends too: they are taken if they are right, or ignored.
import { applyDecorators } from '@nestjs/common';
import { Allow } from 'class-validator';
import { quote } from '../problems/quote.js';
import { fault } from './fault.js';
import { hasNo, IsExactly, IsInstant, MayBeLeftOut } from './fields.js';
import { ID, textFault } from './values.js';

/** Of the address; a body may repeat it. It is put into the body when that is read. */
export class AddressId {
  constructor(
    readonly id: string,
    /** What the body says; undefined when it says nothing. */
    readonly sent: unknown,
    /** Whether an object may get it; otherwise one that nobody can have is that of no object. */
    readonly mayBeNew: boolean,
  ) {}
}

const IsOwnId = () =>
  hasNo('isOwnId', (value) => {
    if (!(value instanceof AddressId)) {
      const advice = 'is made by the service; to choose it yourself, PUT the object to its address';
      return fault(advice, quote(value));
    }
    if (value.sent !== undefined && value.sent !== value.id)
      return fault('must be that of the address', quote(value.sent));
    return value.mayBeNew ? textFault(value.id, ID) : undefined;
  });

const MAX_AHEAD_MS = 5 * 60_000;
export const AHEAD = 'is more than 5 minutes ahead of our clock';

export function isAhead(time: Date): boolean {
  return time.getTime() > Date.now() + MAX_AHEAD_MS;
}

/** When the object was created. Whether it may be so under an address depends on what is stored there. */
export const IsCreationTime = (): PropertyDecorator =>
  applyDecorators(
    MayBeLeftOut(),
    IsInstant(),
    hasNo('isCreationTime', (value, object) => {
      const isNew = !('id' in object && object.id instanceof AddressId);
      return isNew && value instanceof Date && isAhead(value) ? fault(AHEAD, quote(value)) : undefined;
    }),
  );

export class OwnFields {
  @MayBeLeftOut()
  @IsOwnId()
  id?: AddressId;

  @Allow()
  updated_at?: unknown;

  @MayBeLeftOut()
  @IsExactly(false, ' or left out, a DELETE deletes')
  deleted?: false;
}
