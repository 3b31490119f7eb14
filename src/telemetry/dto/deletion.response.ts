// What was removed.
import { ApiField, ApiObjectName, COUNT } from '../../common/openapi/properties.js';

export class DeletionResponse {
  @ApiObjectName('deletion')
  object: 'deletion';

  @ApiField('How many readings were removed.', 12, COUNT)
  deleted: number;
}
