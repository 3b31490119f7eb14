// GET /v1/sensor_profiles, GET /v1/sensor_profiles/:id and GET /v1/tanks/:id/sensor.
import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiExtraModels, ApiOperation, ApiTags } from '@nestjs/swagger';
import { BoundTo, NeedsScope } from '../common/auth/caller.js';
import { ApiAnswer, ApiId, ApiList } from '../common/openapi/responses.decorator.js';
import { ListQuery } from '../common/pagination/dto/list.query.js';
import type { Page } from '../common/pagination/page.js';
import { SensorProfileListResponse, SensorProfileResponse } from './dto/sensor-profile.response.js';
import { SensorResponse, TableResponse, TwoPointsResponse } from './dto/sensor.response.js';
import { ProfilesService } from './profiles.service.js';
import { TankSensorsService } from './tank-sensors.service.js';

@ApiTags('Sensors')
@ApiExtraModels(TwoPointsResponse, TableResponse) // here, since a decorated class loses its name in the bundle
@NeedsScope('read')
@Controller({ version: '1' })
export class SensorsController {
  constructor(
    private readonly profiles: ProfilesService,
    private readonly sensors: TankSensorsService,
  ) {}

  @Get('sensor_profiles')
  @ApiOperation({
    operationId: 'listSensorProfiles',
    summary: 'List sensor profiles',
    description: 'Where the decoded payloads of each kind of sensor hold what. Newest first.',
  })
  @ApiList(SensorProfileListResponse, 'A page of sensor profiles.')
  listProfiles(@Query() query: ListQuery): Promise<Page<SensorProfileResponse>> {
    return this.profiles.list(query);
  }

  @Get('sensor_profiles/:id')
  @ApiOperation({
    operationId: 'getSensorProfile',
    summary: 'Retrieve a sensor profile',
    description: 'What one kind of sensor measures, and how a reading is made of it.',
  })
  @ApiId('sensor profile', 'em400-udl')
  @ApiAnswer(SensorProfileResponse, 'The sensor profile.')
  getProfile(@Param('id') id: string): Promise<SensorProfileResponse> {
    return this.profiles.get(id);
  }

  @Get('tanks/:id/sensor')
  @ApiOperation({
    operationId: 'getSensor',
    summary: 'Retrieve the sensor of a tank',
    description: 'Its profile and calibration, and what its newest uplink said.',
  })
  @ApiId('tank', '019b7a6e-31c8-7f10-8a3e-0d6f1b2c3d4e')
  @ApiAnswer(SensorResponse, 'The sensor.')
  getSensor(@Param('id') id: string, @BoundTo() boundTo: string | null): Promise<SensorResponse> {
    return this.sensors.get(id, boundTo);
  }
}
