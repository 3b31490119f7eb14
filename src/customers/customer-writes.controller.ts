// POST /v1/customers; PUT, PATCH and DELETE of /v1/customers/:id; POST to its restore.
import { Body, Controller, Delete, Param, Patch, Post, Put, Query, UseGuards } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { NeedsScope } from '../common/auth/needs-scope.decorator.js';
import {
  ApiCreation,
  ApiDeletion,
  ApiMerge,
  ApiReplacement,
  ApiRestoration,
  NoFields,
} from '../common/writes/api-writes.decorator.js';
import { CurrentWriter, type Writer } from '../common/writes/writer.js';
import type { WriteResult } from '../common/writes/managed-writes.js';
import { isDeleted, isErased, ownsTanks } from '../common/writes/problems.js';
import { NoParameters } from '../common/validation/no-parameters.js';
import { CustomerInput, CustomerPatch } from './dto/customer.input.js';
import { CustomerResponse, DeletedCustomerResponse } from './dto/customer.response.js';
import { CustomersService } from './customers.service.js';
import { UnboundKeyGuard } from '../common/writes/unbound-key.guard.js';

const CUSTOMER = {
  object: 'customer',
  name: 'Customer',
  scope: 'customers:write',
  response: CustomerResponse,
  deleted: DeletedCustomerResponse,
} as const;
const EXAMPLE = { email: 'office@example.com', name: 'Example Ltd', phone: '+1 206 555 0142' };

@ApiTags('Customers')
@NeedsScope('customers:write')
@Controller({ path: 'customers', version: '1' })
export class CustomerWritesController {
  constructor(private readonly customers: CustomersService) {}

  @Post()
  @UseGuards(UnboundKeyGuard)
  @ApiCreation(CUSTOMER, { body: { type: CustomerInput, example: EXAMPLE } })
  create(
    @Body() body: CustomerInput,
    @CurrentWriter() writer: Writer,
  ): Promise<WriteResult<CustomerResponse>> {
    return this.customers.create(body, writer);
  }

  @Put(':id')
  @UseGuards(UnboundKeyGuard)
  @ApiReplacement(CUSTOMER, { body: { type: CustomerInput, example: EXAMPLE } })
  put(
    @Param('id') id: string,
    @Body() body: CustomerInput,
    @CurrentWriter() writer: Writer,
  ): Promise<WriteResult<CustomerResponse>> {
    return this.customers.replace(id, body, writer);
  }

  @Patch(':id')
  @ApiMerge(CUSTOMER, {
    body: { type: CustomerPatch, example: { phone: '+1 206 555 0199' } },
    conflicts: ['`deleted`: the customer is deleted; a PUT restores it.', isDeleted('customer')],
  })
  patch(
    @Param('id') id: string,
    @Body() body: CustomerPatch,
    @CurrentWriter() writer: Writer,
  ): Promise<WriteResult<CustomerResponse>> {
    return this.customers.patch(id, body, writer);
  }

  @Delete(':id')
  @UseGuards(UnboundKeyGuard)
  @ApiDeletion(CUSTOMER, {
    exampleId: 'old-customer',
    description: 'One that owns tanks is not deleted. Deleting it again is the same answer.',
    conflicts: ['`owns_tanks`: the customer has tanks that are not deleted.', ownsTanks(3)],
  })
  remove(
    @Param('id') id: string,
    @Query() _none: NoParameters,
    @CurrentWriter() writer: Writer,
  ): Promise<WriteResult<DeletedCustomerResponse>> {
    return this.customers.remove(id, writer);
  }

  @Post(':id/restore')
  @UseGuards(UnboundKeyGuard)
  @ApiRestoration(
    CUSTOMER,
    ['`erased`: the customer was erased for good.', isErased('customer')],
    'As it was when it was deleted. Its tanks that were deleted stay so. One that is not deleted stays as it is.',
  )
  restore(
    @Param('id') id: string,
    @Body() _none: NoFields,
    @CurrentWriter() writer: Writer,
  ): Promise<WriteResult<CustomerResponse>> {
    return this.customers.restore(id, writer);
  }
}
