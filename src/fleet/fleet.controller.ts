// GET /v1/fleet, GET /v1/fleet/tanks and GET /v1/fleet/tanks/:id.
import { Controller, Get, Param, Query, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { PRICES, TakesSeats } from '../common/admission/admission.js';
import { BoundCustomerId, NeedsScope } from '../common/auth/caller.js';
import { createEtag } from '../common/http/etag.js';
import { ApiAnswer, ApiId, ApiList } from '../common/openapi/responses.decorator.js';
import type { Page } from '../common/pagination/page.js';
import { FleetQuery, FleetTanksQuery } from './dto/fleet.query.js';
import { FleetResponse } from './dto/fleet.response.js';
import { TankStatusListResponse, TankStatusWithConsumptionResponse } from './dto/tank-status.response.js';
import type { TankStatusResponse } from './dto/tank-status.response.js';
import { FleetService } from './fleet.service.js';

@ApiTags('Fleet')
@NeedsScope('read')
@Controller({ path: 'fleet', version: '1' })
export class FleetController {
  constructor(private readonly fleet: FleetService) {}

  @Get()
  @ApiOperation({
    operationId: 'getFleet',
    summary: 'Get fleet summary',
    description:
      'How many tanks there are now, and how many of them have reported, are low or have fallen silent: of all, or of those that the list would show for the same parameters.',
  })
  @TakesSeats(PRICES.longRead)
  @ApiAnswer(FleetResponse, 'The summary.', { hasParameters: true })
  async summary(
    @Query() query: FleetQuery,
    @BoundCustomerId() boundTo: string | null,
    @Res({ passthrough: true }) response: Response,
  ): Promise<FleetResponse> {
    const fleet = await this.fleet.summary(query, boundTo);
    // Without the time, or no two answers would ever be the same.
    response.setHeader('ETag', createEtag(JSON.stringify(Object.assign({}, fleet, { as_of: null }))));
    return fleet;
  }

  @Get('tanks')
  @ApiOperation({
    operationId: 'listFleetTanks',
    summary: 'List the current state of all tanks',
    description: 'Lowest fill level first, unless `sort` says otherwise. Deleted tanks are left out.',
  })
  @TakesSeats(PRICES.longRead)
  @ApiList(TankStatusListResponse, "A page of the tanks' states.")
  list(
    @Query() query: FleetTanksQuery,
    @BoundCustomerId() boundTo: string | null,
  ): Promise<Page<TankStatusResponse>> {
    return this.fleet.list(query, boundTo);
  }

  @Get('tanks/:id')
  @ApiOperation({
    operationId: 'getFleetTank',
    summary: 'Retrieve the current state of a tank',
    description: "Includes the tank's consumption. A deleted tank has no state.",
  })
  @ApiId('tank', '019b7a6e-31c8-7f10-8a3e-0d6f1b2c3d4e')
  @ApiAnswer(TankStatusWithConsumptionResponse, "The tank's state.")
  get(
    @Param('id') id: string,
    @BoundCustomerId() boundTo: string | null,
  ): Promise<TankStatusWithConsumptionResponse> {
    return this.fleet.get(id, boundTo);
  }
}
