// PUT, PATCH and DELETE of /v1/sensor_profiles/:id; PUT and DELETE of /v1/tanks/:id/sensor.
import { Controller, Delete, Param, Patch, Put, Req, Res } from '@nestjs/common';
import { ApiExtraModels, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { CurrentCaller, type Caller } from '../auth/caller.js';
import { NeedsScope } from '../auth/needs-scope.decorator.js';
import {
  ApiDeleteProfile,
  ApiDeleteSensor,
  ApiPatchProfile,
  ApiPutProfile,
  ApiPutSensor,
} from './api-sensors.decorator.js';
import { SentTwoPoints } from './dto/sensor.response.js';
import { ProfileWrites } from './profile-writes.js';
import { TankSensorWrites } from './tank-sensor-writes.js';

@ApiTags('Sensors')
@ApiExtraModels(SentTwoPoints) // here, since a decorated class loses its name in the bundle
@NeedsScope('tanks:write')
@Controller({ version: '1' })
export class SensorWritesController {
  constructor(
    private readonly profiles: ProfileWrites,
    private readonly sensors: TankSensorWrites,
  ) {}

  @Put('sensor_profiles/:id')
  @ApiPutProfile()
  putProfile(@Param('id') id: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    return this.profiles.put(id, request, response);
  }

  @Patch('sensor_profiles/:id')
  @ApiPatchProfile()
  patchProfile(@Param('id') id: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    return this.profiles.patch(id, request, response);
  }

  @Delete('sensor_profiles/:id')
  @ApiDeleteProfile()
  deleteProfile(@Param('id') id: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    return this.profiles.delete(id, request, response);
  }

  @Put('tanks/:id/sensor')
  @ApiPutSensor()
  putSensor(
    @Param('id') id: string,
    @Req() request: Request,
    @Res() response: Response,
    @CurrentCaller() caller: Caller,
  ): Promise<void> {
    return this.sensors.put(id, request, response, caller);
  }

  @Delete('tanks/:id/sensor')
  @ApiDeleteSensor()
  deleteSensor(
    @Param('id') id: string,
    @Req() request: Request,
    @Res() response: Response,
    @CurrentCaller() caller: Caller,
  ): Promise<void> {
    return this.sensors.delete(id, request, response, caller);
  }
}
