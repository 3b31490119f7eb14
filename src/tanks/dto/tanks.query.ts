// The parameters of the tanks list: the common ones, and what a tank is found by.
import { ApiOptional } from '../../common/openapi/properties.js';
import { ListQuery } from '../../common/pagination/dto/list.query.js';
import { IsFilled } from '../../common/validation/parameter-rules.js';

const Exactly = (description: string) => ApiOptional(description, { minLength: 1 }, IsFilled());

export class TanksQuery extends ListQuery {
  @Exactly('Only tanks of this customer.')
  owner_id?: string;

  @Exactly('Only tanks with exactly this custom id (case-sensitive).')
  custom_id?: string;

  @Exactly(
    'Only tanks with this device. An EUI is the same device however it is written; every other id is exact.',
  )
  assigned_device_id?: string;
}
