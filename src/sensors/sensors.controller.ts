// /v1/sensor_profiles: lists, shows, puts, changes and deletes profiles; /v1/tanks/:id/sensor: shows, sets and takes away the sensor of a tank.
import { Body, Controller, Delete, Get, Param, Patch, Put, Query, UseGuards } from '@nestjs/common';
import { ApiExtraModels, ApiOperation, ApiTags } from '@nestjs/swagger';
import { BoundCustomerId, NeedsScope } from '../common/auth/caller.js';
import type { JsonRecord } from '../common/bodies/record.js';
import { ApiProblem } from '../common/openapi/problems.decorator.js';
import { ApiAnswer, ApiId, ApiList } from '../common/openapi/responses.decorator.js';
import type { Page } from '../common/pagination/page.js';
import { noSuch } from '../common/problems/problem.js';
import { NoParameters } from '../common/validation/no-parameters.js';
import { ApiDeletion, ApiMerge, ApiReplacement } from '../common/writes/api-writes.decorator.js';
import { CurrentWriter, type Writer, type WriteResult } from '../common/writes/recorded-writes.js';
import { UnboundKeyGuard } from '../common/writes/unbound-key.guard.js';
import { Writes } from '../common/writes/writes.decorator.js';
import { SensorProfilePatch, SensorProfilesQuery, SentSensorProfile } from './dto/sensor-profile.input.js';
import {
  DeletedSensorProfileResponse,
  SensorProfileListResponse,
  SensorProfileResponse,
} from './dto/sensor-profile.response.js';
import { SentSensorBody, SentTwoPoints } from './dto/sensor.input.js';
import {
  DeletedSensorResponse,
  SensorResponse,
  TableResponse,
  TwoPointsResponse,
} from './dto/sensor.response.js';
import { profileInUse, ProfilesService } from './profiles.service.js';
import { TankSensorsService } from './tank-sensors.service.js';

const PROFILE = {
  object: 'sensor profile',
  name: 'SensorProfile',
  scope: 'tanks:write',
  response: SensorProfileResponse,
  deleted: DeletedSensorProfileResponse,
} as const;
const EXAMPLE = {
  name: 'Milesight EM400-UDL',
  level: { path: 'distance', unit: 'mm' },
  battery: { path: 'battery' },
  temperature: { path: 'temperature' },
  reject_when: [{ path: 'position', equals: 'tilt' }],
};
const NOT_BOUND = 'A key that is bound to a customer may not.';

const SENSOR = {
  object: 'sensor',
  idOf: 'tank',
  name: 'Sensor',
  scope: 'tanks:write',
  response: SensorResponse,
  deleted: DeletedSensorResponse,
} as const;
const CALIBRATED = {
  profile_id: 'em400-udl',
  calibration: { empty: 1600, full: 150, unit: 'mm', shape: 'horizontal_cylinder' },
};

@ApiTags('Sensors')
@ApiExtraModels(SentTwoPoints, TwoPointsResponse, TableResponse) // here, since a decorated class loses its name in the bundle
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
  listProfiles(
    @Query() query: SensorProfilesQuery,
    @BoundCustomerId() boundTo: string | null,
  ): Promise<Page<SensorProfileResponse>> {
    return this.profiles.list(query, boundTo);
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
  getSensor(@Param('id') id: string, @BoundCustomerId() boundTo: string | null): Promise<SensorResponse> {
    return this.sensors.get(id, boundTo);
  }

  @Put('sensor_profiles/:id')
  @UseGuards(UnboundKeyGuard)
  @Writes('tanks:write')
  @ApiReplacement(PROFILE, {
    exampleId: 'my-sensor',
    summary: 'Create or replace a sensor profile',
    description: `What is left out gets its default. ${NOT_BOUND}`,
    body: { type: SentSensorProfile, example: EXAMPLE },
  })
  putProfile(
    @Param('id') id: string,
    @Body() body: SentSensorProfile,
    @CurrentWriter() writer: Writer,
  ): Promise<WriteResult<SensorProfileResponse>> {
    return this.profiles.replace(id, body, writer);
  }

  @Patch('sensor_profiles/:id')
  @UseGuards(UnboundKeyGuard)
  @Writes('tanks:write')
  @ApiMerge(PROFILE, {
    exampleId: 'my-sensor',
    description: `A merge patch (RFC 7396): what is left out stays. ${NOT_BOUND}`,
    body: { type: SensorProfilePatch, example: { level: { unit: 'cm' } } },
  })
  patchProfile(
    @Param('id') id: string,
    @Body() body: JsonRecord,
    @CurrentWriter() writer: Writer,
  ): Promise<WriteResult<SensorProfileResponse>> {
    return this.profiles.patch(id, body, writer);
  }

  @Delete('sensor_profiles/:id')
  @UseGuards(UnboundKeyGuard)
  @Writes('tanks:write')
  @ApiDeletion(PROFILE, {
    exampleId: 'old-sensor',
    description: `One that no tank uses. ${NOT_BOUND}`,
    conflicts: ['A tank uses it (`profile_in_use`).', profileInUse()],
  })
  removeProfile(
    @Param('id') id: string,
    @Query() _none: NoParameters,
    @CurrentWriter() writer: Writer,
  ): Promise<WriteResult<DeletedSensorProfileResponse>> {
    return this.profiles.remove(id, writer);
  }

  @Put('tanks/:id/sensor')
  @Writes('tanks:write')
  @ApiReplacement(SENSOR, {
    summary: 'Set the sensor of a tank',
    description:
      'Its kind, and what its values mean for this tank: two points and a shape, a table of points, or null for percentages. Readings that are stored stay as they are.',
    body: { type: SentSensorBody, example: CALIBRATED },
  })
  @ApiProblem('There is no such tank for this key.', noSuch('tank'))
  putSensor(
    @Param('id') id: string,
    @Body() body: SentSensorBody,
    @CurrentWriter() writer: Writer,
  ): Promise<WriteResult<SensorResponse>> {
    return this.sensors.put(id, body, writer);
  }

  @Delete('tanks/:id/sensor')
  @Writes('tanks:write')
  @ApiDeletion(SENSOR, {
    summary: 'Take the sensor of a tank away',
    description: 'Uplinks of its device then wait in quarantine.',
  })
  removeSensor(
    @Param('id') id: string,
    @Query() _none: NoParameters,
    @CurrentWriter() writer: Writer,
  ): Promise<WriteResult<DeletedSensorResponse>> {
    return this.sensors.remove(id, writer);
  }
}
