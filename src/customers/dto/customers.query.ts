// The parameters of the customers list: the common ones, an exact email, and words.
import { ApiOptional } from '../../common/openapi/properties.js';
import { ListQuery } from '../../common/pagination/dto/list.query.js';
import { ApiSearch } from '../../common/search.js';
import { IsFilled } from '../../common/validation/parameter-rules.js';

export class CustomersQuery extends ListQuery {
  @ApiOptional('Only customers with exactly this email (case-sensitive).', { minLength: 1 }, IsFilled())
  email?: string;

  @ApiSearch('customers', 'name, email or phone')
  q?: string;
}
