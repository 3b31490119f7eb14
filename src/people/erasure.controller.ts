// POST /v1/customers/:id/erase.
import { Body, Controller, Header, Param, Post, UseGuards } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ApiAction, NoFields } from '../common/writes/api-writes.decorator.js';
import { CurrentWriter, type Writer, type WriteResult } from '../common/writes/recorded-writes.js';
import { OPTIONAL_BODY, Writes } from '../common/writes/writes.decorator.js';
import { UnboundKeyGuard } from '../common/writes/unbound-key.guard.js';
import { CUSTOMER } from '../customers/customers.controller.js';
import { ErasureResponse } from './dto/erasure.response.js';
import { Erasure } from './erasure.js';

@ApiTags('Customers')
@Controller({ path: 'customers', version: '1' })
export class ErasureController {
  constructor(private readonly erasure: Erasure) {}

  @Post(':id/erase')
  @UseGuards(UnboundKeyGuard)
  @Header('Cache-Control', 'no-store')
  @Writes(['customers:write', 'tanks:write'], OPTIONAL_BODY)
  @ApiAction(
    CUSTOMER,
    {
      operationId: 'eraseCustomer',
      summary: 'Forget a customer for good',
      description:
        'Deletes the customer and its tanks, and removes what says who and where they were, wherever the service keeps it; its recipients, users, sources and webhook endpoints go, its keys end. Readings stay. It cannot be undone. Interrupted, send it again. It also needs the scope `tanks:write`.',
      exampleId: 'forgotten-customer',
    },
    ['How much was erased; the second time nothing.', ErasureResponse],
  )
  erase(
    @Param('id') id: string,
    @Body() _none: NoFields,
    @CurrentWriter() writer: Writer,
  ): Promise<WriteResult<ErasureResponse>> {
    return this.erasure.run(id, writer);
  }
}
