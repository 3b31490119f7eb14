// POST /v1/tanks; PUT, PATCH and DELETE of /v1/tanks/:id.
import { Body, Controller, Delete, Param, Patch, Post, Put, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { CurrentCaller, type CallerOfRequest } from '../auth/caller.js';
import { NeedsScope } from '../auth/needs-scope.decorator.js';
import { ApiCreation, ApiDeletion, ApiMerge, ApiReplacement } from '../manage/api-writes.decorator.js';
import { Conditions, type WriteConditions } from '../manage/conditions.js';
import { isNew } from '../manage/managed-writes.js';
import { ReadsCreation, ReadsMerge, ReadsReplacement } from '../manage/object-body.js';
import { NoParameters } from '../validation/no-parameters.js';
import { TankInput, TankPatch } from './dto/tank.input.js';
import type { DeletedTankResponse, TankResponse } from './dto/tank.response.js';
import { CREATE_TANK, DELETE_TANK, PATCH_TANK, PUT_TANK } from './tank-writes.docs.js';
import { TanksService } from './tanks.service.js';

@ApiTags('Tanks')
@NeedsScope('tanks:write')
@Controller({ path: 'tanks', version: '1' })
export class TankWritesController {
  constructor(private readonly tanks: TanksService) {}

  @Post()
  @ReadsCreation()
  @ApiCreation(CREATE_TANK)
  async create(
    @Body() body: TankInput,
    @CurrentCaller() caller: CallerOfRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<TankResponse> {
    const { object } = await this.tanks.create(body, caller);
    response.location(`/v1/tanks/${object.id}`);
    return object;
  }

  @Put(':id')
  @ReadsReplacement()
  @ApiReplacement(PUT_TANK)
  async put(
    @Param('id') id: string,
    @Body() body: TankInput,
    @Conditions() conditions: WriteConditions,
    @CurrentCaller() caller: CallerOfRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<TankResponse> {
    const written = await this.tanks.replace(id, body, conditions, caller);
    response.status(isNew(written) ? 201 : 200);
    return written.object;
  }

  @Patch(':id')
  @ReadsMerge()
  @ApiMerge(PATCH_TANK)
  async patch(
    @Param('id') id: string,
    @Body() body: TankPatch,
    @Conditions() conditions: WriteConditions,
    @CurrentCaller() caller: CallerOfRequest,
  ): Promise<TankResponse> {
    return (await this.tanks.patch(id, body, conditions, caller)).object;
  }

  @Delete(':id')
  @ApiDeletion(DELETE_TANK)
  async remove(
    @Param('id') id: string,
    @Query() _none: NoParameters,
    @Conditions() conditions: WriteConditions,
    @CurrentCaller() caller: CallerOfRequest,
  ): Promise<DeletedTankResponse> {
    return (await this.tanks.remove(id, conditions, caller)).object;
  }
}
