// POST /v1/customers; PUT, PATCH and DELETE of /v1/customers/:id.
import { Body, Controller, Delete, Param, Patch, Post, Put, Query, Res, UseGuards } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { CurrentCaller, type CallerOfRequest } from '../auth/caller.js';
import { NeedsScope } from '../auth/needs-scope.decorator.js';
import { ApiCreation, ApiDeletion, ApiMerge, ApiReplacement } from '../manage/api-writes.decorator.js';
import { Conditions, type WriteConditions } from '../manage/conditions.js';
import { isNew } from '../manage/managed-writes.js';
import { ReadsCreation, ReadsMerge, ReadsReplacement } from '../manage/object-body.js';
import { NoParameters } from '../validation/no-parameters.js';
import { CustomerInput, CustomerPatch } from './dto/customer.input.js';
import type { DeletedCustomerResponse, CustomerResponse } from './dto/customer.response.js';
import { CREATE_CUSTOMER, DELETE_CUSTOMER, PATCH_CUSTOMER, PUT_CUSTOMER } from './customer-writes.docs.js';
import { CustomersService } from './customers.service.js';
import { UnboundKeyGuard } from './unbound-key.guard.js';

@ApiTags('Customers')
@NeedsScope('customers:write')
@Controller({ path: 'customers', version: '1' })
export class CustomerWritesController {
  constructor(private readonly customers: CustomersService) {}

  @Post()
  @UseGuards(UnboundKeyGuard)
  @ReadsCreation()
  @ApiCreation(CREATE_CUSTOMER)
  async create(
    @Body() body: CustomerInput,
    @CurrentCaller() caller: CallerOfRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<CustomerResponse> {
    const { object } = await this.customers.create(body, caller);
    response.location(`/v1/customers/${object.id}`);
    return object;
  }

  @Put(':id')
  @UseGuards(UnboundKeyGuard)
  @ReadsReplacement()
  @ApiReplacement(PUT_CUSTOMER)
  async put(
    @Param('id') id: string,
    @Body() body: CustomerInput,
    @Conditions() conditions: WriteConditions,
    @CurrentCaller() caller: CallerOfRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<CustomerResponse> {
    const written = await this.customers.replace(id, body, conditions, caller);
    response.status(isNew(written) ? 201 : 200);
    return written.object;
  }

  @Patch(':id')
  @ReadsMerge()
  @ApiMerge(PATCH_CUSTOMER)
  async patch(
    @Param('id') id: string,
    @Body() body: CustomerPatch,
    @Conditions() conditions: WriteConditions,
    @CurrentCaller() caller: CallerOfRequest,
  ): Promise<CustomerResponse> {
    return (await this.customers.patch(id, body, conditions, caller)).object;
  }

  @Delete(':id')
  @UseGuards(UnboundKeyGuard)
  @ApiDeletion(DELETE_CUSTOMER)
  async remove(
    @Param('id') id: string,
    @Query() _none: NoParameters,
    @Conditions() conditions: WriteConditions,
    @CurrentCaller() caller: CallerOfRequest,
  ): Promise<DeletedCustomerResponse> {
    return (await this.customers.remove(id, conditions, caller)).object;
  }
}
