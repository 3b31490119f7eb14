// PUT, PATCH and DELETE of /v1/sensor_profiles/:id; PUT and DELETE of /v1/tanks/:id/sensor.
import { Body, Controller, Delete, Param, Patch, Put, Query, Res, UseGuards } from '@nestjs/common';
import { ApiExtraModels, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { CurrentCaller, type CallerOfRequest } from '../auth/caller.js';
import { NeedsScope } from '../auth/needs-scope.decorator.js';
import { Conditions, type WriteConditions } from '../manage/conditions.js';
import { isNew } from '../manage/managed-writes.js';
import { ReadsMerge, ReadsReplacement } from '../manage/object-body.js';
import { NoParameters } from '../validation/no-parameters.js';
import {
  ApiDeleteProfile,
  ApiDeleteSensor,
  ApiPatchProfile,
  ApiPutProfile,
  ApiPutSensor,
} from './api-sensors.decorator.js';
import { SensorProfilePatch, SentSensorProfile } from './dto/sensor-profile.input.js';
import type { DeletedSensorProfileResponse, SensorProfileResponse } from './dto/sensor-profile.response.js';
import { SentSensorBody, SentTwoPoints } from './dto/sensor.input.js';
import type { DeletedSensorResponse, SensorResponse } from './dto/sensor.response.js';
import { ProfileKeyGuard } from './profile-key.guard.js';
import { ProfilesService } from './profiles.service.js';
import { TankSensorsService } from './tank-sensors.service.js';

@ApiTags('Sensors')
@ApiExtraModels(SentTwoPoints) // here, since a decorated class loses its name in the bundle
@NeedsScope('tanks:write')
@Controller({ version: '1' })
export class SensorWritesController {
  constructor(
    private readonly profiles: ProfilesService,
    private readonly sensors: TankSensorsService,
  ) {}

  @Put('sensor_profiles/:id')
  @UseGuards(ProfileKeyGuard)
  @ReadsReplacement()
  @ApiPutProfile()
  async putProfile(
    @Param('id') id: string,
    @Body() body: SentSensorProfile,
    @Conditions() conditions: WriteConditions,
    @CurrentCaller() caller: CallerOfRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SensorProfileResponse> {
    const written = await this.profiles.replace(id, body, conditions, caller);
    response.status(isNew(written) ? 201 : 200);
    return written.object;
  }

  @Patch('sensor_profiles/:id')
  @UseGuards(ProfileKeyGuard)
  @ReadsMerge()
  @ApiPatchProfile()
  async patchProfile(
    @Param('id') id: string,
    @Body() body: SensorProfilePatch,
    @Conditions() conditions: WriteConditions,
    @CurrentCaller() caller: CallerOfRequest,
  ): Promise<SensorProfileResponse> {
    return (await this.profiles.patch(id, body, conditions, caller)).object;
  }

  @Delete('sensor_profiles/:id')
  @UseGuards(ProfileKeyGuard)
  @ApiDeleteProfile()
  async removeProfile(
    @Param('id') id: string,
    @Query() _none: NoParameters,
    @Conditions() conditions: WriteConditions,
    @CurrentCaller() caller: CallerOfRequest,
  ): Promise<DeletedSensorProfileResponse> {
    return (await this.profiles.remove(id, conditions, caller)).object;
  }

  @Put('tanks/:id/sensor')
  @ReadsReplacement()
  @ApiPutSensor()
  async putSensor(
    @Param('id') id: string,
    @Body() body: SentSensorBody,
    @Conditions() conditions: WriteConditions,
    @CurrentCaller() caller: CallerOfRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SensorResponse> {
    const written = await this.sensors.put(id, body, conditions, caller);
    response.status(isNew(written) ? 201 : 200);
    return written.object;
  }

  @Delete('tanks/:id/sensor')
  @ApiDeleteSensor()
  async removeSensor(
    @Param('id') id: string,
    @Query() _none: NoParameters,
    @Conditions() conditions: WriteConditions,
    @CurrentCaller() caller: CallerOfRequest,
  ): Promise<DeletedSensorResponse> {
    return (await this.sensors.remove(id, conditions, caller)).object;
  }
}
