// What the OpenAPI document says of the operations that write customers.
import { isDeleted, ownsTanks } from '../manage/problems.js';
import { CustomerInput, CustomerPatch } from './dto/customer.input.js';
import { CustomerResponse, DeletedCustomerResponse } from './dto/customer.response.js';

const CUSTOMER = { object: 'customer', scope: 'customers:write', response: CustomerResponse } as const;
const EXAMPLE = { email: 'office@example.com', name: 'Example Ltd', phone: '+1 206 555 0142' };

export const CREATE_CUSTOMER = {
  ...CUSTOMER,
  operationId: 'createCustomer',
  summary: 'Create a customer',
  description:
    'The service makes its id. If the answer is lost, nobody knows whether the customer was created: a PUT under an id of your own can be repeated.',
  body: { type: CustomerInput, example: EXAMPLE },
};

export const PUT_CUSTOMER = {
  ...CUSTOMER,
  operationId: 'putCustomer',
  summary: 'Create, replace or restore a customer',
  description: 'Under an id of your own, and as often as you like. What is left out gets its default.',
  body: { type: CustomerInput, example: EXAMPLE },
};

export const PATCH_CUSTOMER = {
  ...CUSTOMER,
  operationId: 'patchCustomer',
  summary: 'Change a customer',
  description:
    'A merge patch (RFC 7396): the given fields change, null clears what may be null, all others stay.',
  body: { type: CustomerPatch, example: { phone: '+1 206 555 0199' } },
  conflicts: {
    description: '`deleted`: the customer is deleted; a PUT restores it.',
    example: isDeleted('customer'),
  },
};

export const DELETE_CUSTOMER = {
  ...CUSTOMER,
  response: DeletedCustomerResponse,
  exampleId: 'old-customer',
  operationId: 'deleteCustomer',
  summary: 'Delete a customer',
  description: 'One that owns tanks is not deleted. Deleting it again is the same answer.',
  conflicts: {
    description: '`owns_tanks`: the customer has tanks that are not deleted.',
    example: ownsTanks(3),
  },
};
