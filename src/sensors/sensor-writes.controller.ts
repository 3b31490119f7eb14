// PUT, PATCH and DELETE of /v1/sensor_profiles/:id; PUT and DELETE of /v1/tanks/:id/sensor.
import { Body, Controller, Delete, Param, Patch, Put, Query, UseGuards } from '@nestjs/common';
import { ApiExtraModels, ApiTags } from '@nestjs/swagger';
import { NeedsScope } from '../common/auth/caller.js';
import type { JsonRecord } from '../common/bodies/record.js';
import { ApiProblem } from '../common/openapi/problems.decorator.js';
import { noSuch } from '../common/problems/problem.js';
import { ApiDeletion, ApiMerge, ApiReplacement } from '../common/writes/api-writes.decorator.js';
import { CurrentWriter, type Writer, type WriteResult } from '../common/writes/managed-writes.js';
import { NoParameters } from '../common/validation/no-parameters.js';
import { SensorProfilePatch, SentSensorProfile } from './dto/sensor-profile.input.js';
import { DeletedSensorProfileResponse, SensorProfileResponse } from './dto/sensor-profile.response.js';
import { SentSensorBody, SentTwoPoints } from './dto/sensor.input.js';
import { DeletedSensorResponse, SensorResponse } from './dto/sensor.response.js';
import { UnboundKeyGuard } from '../common/writes/unbound-key.guard.js';
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
@ApiExtraModels(SentTwoPoints) // here, since a decorated class loses its name in the bundle
@NeedsScope('tanks:write')
@Controller({ version: '1' })
export class SensorWritesController {
  constructor(
    private readonly profiles: ProfilesService,
    private readonly sensors: TankSensorsService,
  ) {}

  @Put('sensor_profiles/:id')
  @UseGuards(UnboundKeyGuard)
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
