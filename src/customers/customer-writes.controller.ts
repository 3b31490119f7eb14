// POST /v1/customers; PUT, PATCH and DELETE of /v1/customers/:id.
import { Controller, Delete, Patch, Post, Put, Req, Res, UseGuards } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { NeedsScope } from '../auth/needs-scope.decorator.js';
import { ApiCreation, ApiDeletion, ApiMerge, ApiReplacement } from '../manage/api-writes.decorator.js';
import { ObjectWrites } from '../manage/object-writes.js';
import { CREATE_CUSTOMER, DELETE_CUSTOMER, PATCH_CUSTOMER, PUT_CUSTOMER } from './customer-writes.docs.js';
import { CUSTOMER_WRITES } from './customer-writes.js';
import { UnboundKeyGuard } from './unbound-key.guard.js';

@ApiTags('Customers')
@NeedsScope('customers:write')
@Controller({ path: 'customers', version: '1' })
export class CustomerWritesController {
  constructor(private readonly writes: ObjectWrites) {}

  @Post()
  @UseGuards(UnboundKeyGuard)
  @ApiCreation(CREATE_CUSTOMER)
  create(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.writes.write(CUSTOMER_WRITES, 'POST', request, response);
  }

  @Put(':id')
  @UseGuards(UnboundKeyGuard)
  @ApiReplacement(PUT_CUSTOMER)
  put(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.writes.write(CUSTOMER_WRITES, 'PUT', request, response);
  }

  @Patch(':id')
  @ApiMerge(PATCH_CUSTOMER)
  patch(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.writes.write(CUSTOMER_WRITES, 'PATCH', request, response);
  }

  @Delete(':id')
  @UseGuards(UnboundKeyGuard)
  @ApiDeletion(DELETE_CUSTOMER)
  delete(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.writes.delete(CUSTOMER_WRITES, request, response);
  }
}
