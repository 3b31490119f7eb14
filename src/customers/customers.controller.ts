// /v1/customers: lists, shows, creates, changes, deletes and restores customers.
import { Body, Controller, Delete, Get, Param, Patch, Post, Put, Query, UseGuards } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { BoundCustomerId, NeedsScope } from '../common/auth/caller.js';
import { ApiAnswer, ApiId, ApiList } from '../common/openapi/responses.decorator.js';
import type { Page } from '../common/pagination/page.js';
import { NoParameters } from '../common/validation/no-parameters.js';
import {
  ApiCreation,
  ApiDeletion,
  ApiMerge,
  ApiReplacement,
  ApiRestoration,
  NoFields,
} from '../common/writes/api-writes.decorator.js';
import { CurrentWriter, type Writer, type WriteResult } from '../common/writes/recorded-writes.js';
import { OPTIONAL_BODY, Writes } from '../common/writes/writes.decorator.js';
import { isDeleted, isErased, ownsTanks } from '../common/writes/problems.js';
import { UnboundKeyGuard } from '../common/writes/unbound-key.guard.js';
import { CustomersService } from './customers.service.js';
import { CustomerInput, CustomerPatch, CustomersQuery } from './dto/customer.input.js';
import { CustomerListResponse, CustomerResponse, DeletedCustomerResponse } from './dto/customer.response.js';

export const CUSTOMER = {
  object: 'customer',
  name: 'Customer',
  scope: 'customers:write',
  response: CustomerResponse,
  deleted: DeletedCustomerResponse,
} as const;
const EXAMPLE = { email: 'office@example.com', name: 'Example Ltd', phone: '+1 206 555 0142' };

@ApiTags('Customers')
@NeedsScope('read')
@Controller({ path: 'customers', version: '1' })
export class CustomersController {
  constructor(private readonly customers: CustomersService) {}

  @Get()
  @ApiOperation({ operationId: 'listCustomers', summary: 'List customers', description: 'Newest first.' })
  @ApiList(CustomerListResponse, 'A page of customers.')
  list(
    @Query() query: CustomersQuery,
    @BoundCustomerId() boundTo: string | null,
  ): Promise<Page<CustomerResponse>> {
    return this.customers.list(query, boundTo);
  }

  @Get(':id')
  @ApiOperation({
    operationId: 'getCustomer',
    summary: 'Retrieve a customer',
    description: 'A deleted customer is still returned, in a short form.',
  })
  @ApiId('customer', '019b7a6e-2c00-7d3c-9a51-5f0f5b1c2a77')
  @ApiAnswer(CustomerResponse, 'The customer.', { orType: DeletedCustomerResponse })
  get(
    @Param('id') id: string,
    @BoundCustomerId() boundTo: string | null,
  ): Promise<CustomerResponse | DeletedCustomerResponse> {
    return this.customers.get(id, boundTo);
  }

  @Post()
  @UseGuards(UnboundKeyGuard)
  @Writes('customers:write')
  @ApiCreation(CUSTOMER, { body: { type: CustomerInput, example: EXAMPLE } })
  create(
    @Body() body: CustomerInput,
    @CurrentWriter() writer: Writer,
  ): Promise<WriteResult<CustomerResponse>> {
    return this.customers.create(body, writer);
  }

  @Put(':id')
  @UseGuards(UnboundKeyGuard)
  @Writes('customers:write')
  @ApiReplacement(CUSTOMER, { body: { type: CustomerInput, example: EXAMPLE } })
  put(
    @Param('id') id: string,
    @Body() body: CustomerInput,
    @CurrentWriter() writer: Writer,
  ): Promise<WriteResult<CustomerResponse>> {
    return this.customers.replace(id, body, writer);
  }

  @Patch(':id')
  @Writes('customers:write')
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
  @Writes('customers:write')
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
  @Writes('customers:write', OPTIONAL_BODY)
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
