// /v1/tanks: lists, shows, creates, changes, deletes and restores tanks.
import { Body, Controller, Delete, Get, Param, Patch, Post, Put, Query } from '@nestjs/common';
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
import { deviceTaken, idTaken, ownerDeleted } from '../common/writes/problems.js';
import { TankInput, TankPatch, TanksQuery } from './dto/tank.input.js';
import { DeletedTankResponse, TankListResponse, TankResponse } from './dto/tank.response.js';
import { TanksService } from './tanks.service.js';

const TANK = {
  object: 'tank',
  name: 'Tank',
  scope: 'tanks:write',
  response: TankResponse,
  deleted: DeletedTankResponse,
} as const;
const EXAMPLE = {
  name: 'Boiler house',
  owner_id: 'example-customer',
  capacity: 2700,
  capacity_unit: 'liters',
  use_case: 'commercial',
  location: { city: 'Rotterdam', country: 'Netherlands' },
};
const DEVICE = '`device_taken`: another tank has this device.';
const TAKEN = deviceTaken('019b7a6e-31c8-7f10-8a3e-0d6f1b2c3d4e');

@ApiTags('Tanks')
@NeedsScope('read')
@Controller({ path: 'tanks', version: '1' })
export class TanksController {
  constructor(private readonly tanks: TanksService) {}

  @Get()
  @ApiOperation({ operationId: 'listTanks', summary: 'List tanks', description: 'Newest first.' })
  @ApiList(TankListResponse, 'A page of tanks.')
  list(@Query() query: TanksQuery, @BoundCustomerId() boundTo: string | null): Promise<Page<TankResponse>> {
    return this.tanks.list(query, boundTo);
  }

  @Get(':id')
  @ApiOperation({
    operationId: 'getTank',
    summary: 'Retrieve a tank',
    description: 'A deleted tank is still returned, in a short form.',
  })
  @ApiId('tank', '019b7a6e-31c8-7f10-8a3e-0d6f1b2c3d4e')
  @ApiAnswer(TankResponse, 'The tank.', { orType: DeletedTankResponse })
  get(
    @Param('id') id: string,
    @BoundCustomerId() boundTo: string | null,
  ): Promise<TankResponse | DeletedTankResponse> {
    return this.tanks.get(id, boundTo);
  }

  @Post()
  @Writes('tanks:write')
  @ApiCreation(TANK, { body: { type: TankInput, example: EXAMPLE }, conflicts: [DEVICE, TAKEN] })
  create(@Body() body: TankInput, @CurrentWriter() writer: Writer): Promise<WriteResult<TankResponse>> {
    return this.tanks.create(body, writer);
  }

  @Put(':id')
  @Writes('tanks:write')
  @ApiReplacement(TANK, {
    body: { type: TankInput, example: { ...EXAMPLE, assigned_device_id: 'dev-of-the-example' } },
    conflicts: [`${DEVICE} \`id_taken\`: the id is that of a tank your key does not see.`, idTaken()],
  })
  put(
    @Param('id') id: string,
    @Body() body: TankInput,
    @CurrentWriter() writer: Writer,
  ): Promise<WriteResult<TankResponse>> {
    return this.tanks.replace(id, body, writer);
  }

  @Patch(':id')
  @Writes('tanks:write')
  @ApiMerge(TANK, {
    body: { type: TankPatch, example: { min_fill_alert_percentage: 25, location: { city: 'Rotterdam' } } },
    conflicts: [`${DEVICE} \`deleted\`: the tank is deleted; a PUT restores it.`, TAKEN],
  })
  patch(
    @Param('id') id: string,
    @Body() body: TankPatch,
    @CurrentWriter() writer: Writer,
  ): Promise<WriteResult<TankResponse>> {
    return this.tanks.patch(id, body, writer);
  }

  @Delete(':id')
  @Writes('tanks:write')
  @ApiDeletion(TANK, {
    exampleId: 'old-tank',
    description: 'Its readings and events stay, its device is free. Deleting it again is the same answer.',
  })
  remove(
    @Param('id') id: string,
    @Query() _none: NoParameters,
    @CurrentWriter() writer: Writer,
  ): Promise<WriteResult<DeletedTankResponse>> {
    return this.tanks.remove(id, writer);
  }

  @Post(':id/restore')
  @Writes('tanks:write', OPTIONAL_BODY)
  @ApiRestoration(
    TANK,
    [
      `\`owner_deleted\`: restore its owner first. ${DEVICE} \`erased\`: it went with its customer for good.`,
      ownerDeleted(),
    ],
    'As it was when it was deleted, with its sensor, readings and events. One that is not deleted stays as it is.',
  )
  restore(
    @Param('id') id: string,
    @Body() _none: NoFields,
    @CurrentWriter() writer: Writer,
  ): Promise<WriteResult<TankResponse>> {
    return this.tanks.restore(id, writer);
  }
}
