// The operations that write profiles, sensors and the quarantine, in the OpenAPI document.
import { applyDecorators } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam } from '@nestjs/swagger';
import { ApiDeletion, ApiMerge, ApiReplacement } from '../manage/api-writes.decorator.js';
import { ApiProblem, refusals, REQUEST_ID } from '../openapi/responses.decorator.js';
import { notFound } from '../problems/problem.js';
import { SensorProfilePatch, SentSensorProfile } from './dto/sensor-profile.input.js';
import { DeletedSensorProfileResponse, SensorProfileResponse } from './dto/sensor-profile.response.js';
import { SentSensorBody } from './dto/sensor.input.js';
import { DeletedSensorResponse, SensorResponse } from './dto/sensor.response.js';
import { DeletedUplinkResponse } from './dto/uplink.response.js';
import { profileInUse } from './profiles.service.js';

const PROFILE = {
  object: 'sensor profile',
  exampleId: 'my-sensor',
  scope: 'tanks:write',
  response: SensorProfileResponse,
} as const;
const NOT_BOUND = 'A key that is bound to a customer may not.';

const EXAMPLE = {
  name: 'Milesight EM400-UDL',
  level: { path: 'distance', unit: 'mm' },
  battery: { path: 'battery' },
  temperature: { path: 'temperature' },
  reject_when: [{ path: 'position', equals: 'tilt' }],
};

export const ApiPutProfile = () =>
  ApiReplacement({
    ...PROFILE,
    operationId: 'putSensorProfile',
    summary: 'Create or replace a sensor profile',
    description: `What is left out gets its default. ${NOT_BOUND}`,
    body: { type: SentSensorProfile, example: EXAMPLE },
  });

export const ApiPatchProfile = () =>
  ApiMerge({
    ...PROFILE,
    operationId: 'patchSensorProfile',
    summary: 'Change a sensor profile',
    description: `A merge patch (RFC 7396): what is left out stays. ${NOT_BOUND}`,
    body: { type: SensorProfilePatch, example: { level: { unit: 'cm' } } },
  });

export const ApiDeleteProfile = () =>
  ApiDeletion({
    ...PROFILE,
    exampleId: 'old-sensor',
    response: DeletedSensorProfileResponse,
    operationId: 'deleteSensorProfile',
    summary: 'Delete a sensor profile',
    description: `One that no tank uses. ${NOT_BOUND}`,
    conflicts: { description: 'A tank uses it (`profile_in_use`).', example: profileInUse() },
  });

const SENSOR = { object: 'tank', scope: 'tanks:write', response: SensorResponse } as const;

export const ApiPutSensor = () =>
  applyDecorators(
    ApiReplacement({
      ...SENSOR,
      operationId: 'putSensor',
      summary: 'Set the sensor of a tank',
      description:
        'Its kind, and what its values mean for this tank: two points and a shape, a table of points, or null for percentages. Readings that are stored stay as they are.',
      body: {
        type: SentSensorBody,
        example: {
          profile_id: 'em400-udl',
          calibration: { empty: 1600, full: 150, unit: 'mm', shape: 'horizontal_cylinder' },
        },
      },
    }),
    ApiProblem(404, 'There is no such tank for this key.', {}, notFound('There is no tank with this id.')),
  );

export const ApiDeleteSensor = () =>
  ApiDeletion({
    ...SENSOR,
    response: DeletedSensorResponse,
    operationId: 'deleteSensor',
    summary: 'Take the sensor of a tank away',
    description: 'Uplinks of its device then wait in quarantine.',
  });

export function ApiDiscard(): MethodDecorator {
  return applyDecorators(
    ApiOperation({
      operationId: 'discardUplink',
      summary: 'Discard an uplink in quarantine',
      description: 'For good. Needs a key with the scope `telemetry:write`.',
    }),
    ApiParam({
      name: 'id',
      description: 'Identifier of the uplink.',
      schema: { type: 'string', example: '00000000-0000-7000-8000-000000000001' }, // the demo has it
    }),
    ApiOkResponse({
      type: DeletedUplinkResponse,
      description: 'The uplink is discarded.',
      headers: { 'X-Request-Id': REQUEST_ID },
    }),
    ApiProblem(400, 'The address is not well formed, or has a parameter.'),
    ApiProblem(
      404,
      'There is no such object for this key.',
      {},
      notFound('There is no uplink with this id.'),
    ),
    ...refusals('telemetry:write'),
  );
}
