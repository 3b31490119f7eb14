// GET /v1/customers and GET /v1/customers/:id.
import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { BoundTo } from '../common/auth/caller.js';
import { NeedsScope } from '../common/auth/needs-scope.decorator.js';
import { ApiId, ApiList, ApiRetrieval } from '../common/openapi/responses.decorator.js';
import type { Page } from '../common/pagination/page.js';
import { CustomersService } from './customers.service.js';
import { CustomerListResponse, CustomerResponse, DeletedCustomerResponse } from './dto/customer.response.js';
import { CustomersQuery } from './dto/customers.query.js';

@ApiTags('Customers')
@NeedsScope('read')
@Controller({ path: 'customers', version: '1' })
export class CustomersController {
  constructor(private readonly customers: CustomersService) {}

  @Get()
  @ApiOperation({ operationId: 'listCustomers', summary: 'List customers', description: 'Newest first.' })
  @ApiList(CustomerListResponse, 'A page of customers.')
  list(@Query() query: CustomersQuery, @BoundTo() boundTo: string | null): Promise<Page<CustomerResponse>> {
    return this.customers.list(query, boundTo);
  }

  @Get(':id')
  @ApiOperation({
    operationId: 'getCustomer',
    summary: 'Retrieve a customer',
    description: 'A deleted customer is still returned, in a short form.',
  })
  @ApiId('customer', '019b7a6e-2c00-7d3c-9a51-5f0f5b1c2a77')
  @ApiRetrieval(CustomerResponse, DeletedCustomerResponse, 'The customer.')
  get(
    @Param('id') id: string,
    @BoundTo() boundTo: string | null,
  ): Promise<CustomerResponse | DeletedCustomerResponse> {
    return this.customers.get(id, boundTo);
  }
}
