// Fields that belong to the service, which whoever sends back what was read sends too: they are taken if they are right, or ignored.
import { Allow } from 'class-validator';
import { quote } from '../problems/quote.js';
import { fault } from './fault.js';
import { hasNo, IsExactly, MayBeLeftOut } from './fields.js';
import { ID, textFault } from './values.js';

/** Of the address; a body may repeat it. BodyInterceptor puts it into the body of a PUT. */
export class AddressId {
  constructor(
    readonly id: string,
    /** What the body says; undefined when it says nothing. */
    readonly sent: unknown,
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
    return textFault(value.id, ID);
  });

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
