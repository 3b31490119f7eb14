// What was erased of a customer.
import { ApiField, ApiObjectName, COUNT } from '../../common/openapi/properties.js';

export class ErasureResponse {
  @ApiObjectName('erasure')
  object: 'erasure';

  @ApiField('The customer.', '019b7a6e-2c00-7d3c-9a51-5f0f5b1c2a77')
  customer_id: string;

  @ApiField('Tanks that were deleted, or were deleted before, and named `Erased`.', 3, COUNT)
  tanks: number;

  @ApiField('Recipients that were removed.', 1, COUNT)
  recipients: number;

  @ApiField('Users that were removed.', 1, COUNT)
  users: number;

  @ApiField('Keys that were revoked and named `Erased`.', 1, COUNT)
  keys: number;

  @ApiField('Webhook endpoints that were removed.', 0, COUNT)
  webhook_endpoints: number;

  @ApiField('Events that name nobody any more.', 12, COUNT)
  events: number;

  @ApiField('Entries of the activity that name nobody any more.', 7, COUNT)
  activity: number;

  @ApiField('Notices that were removed, or name nobody any more.', 4, COUNT)
  notices: number;
}
