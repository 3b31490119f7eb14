// GET /v1/tanks and GET /v1/tanks/:id.
import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { BoundTo } from '../common/auth/caller.js';
import { NeedsScope } from '../common/auth/needs-scope.decorator.js';
import { ApiId, ApiList, ApiRetrieval } from '../common/openapi/responses.decorator.js';
import type { Page } from '../common/pagination/page.js';
import { DeletedTankResponse, TankListResponse, TankResponse } from './dto/tank.response.js';
import { TanksQuery } from './dto/tanks.query.js';
import { TanksService } from './tanks.service.js';

@ApiTags('Tanks')
@NeedsScope('read')
@Controller({ path: 'tanks', version: '1' })
export class TanksController {
  constructor(private readonly tanks: TanksService) {}

  @Get()
  @ApiOperation({ operationId: 'listTanks', summary: 'List tanks', description: 'Newest first.' })
  @ApiList(TankListResponse, 'A page of tanks.')
  list(@Query() query: TanksQuery, @BoundTo() boundTo: string | null): Promise<Page<TankResponse>> {
    return this.tanks.list(query, boundTo);
  }

  @Get(':id')
  @ApiOperation({
    operationId: 'getTank',
    summary: 'Retrieve a tank',
    description: 'A deleted tank is still returned, in a short form.',
  })
  @ApiId('tank', '019b7a6e-31c8-7f10-8a3e-0d6f1b2c3d4e')
  @ApiRetrieval(TankResponse, DeletedTankResponse, 'The tank.')
  get(
    @Param('id') id: string,
    @BoundTo() boundTo: string | null,
  ): Promise<TankResponse | DeletedTankResponse> {
    return this.tanks.get(id, boundTo);
  }
}
