// The problems of requests that write one object, where they say more than others, for the OpenAPI document.
import { ApiProperty, OmitType } from '@nestjs/swagger';
import { ApiField } from '../../openapi/properties.js';
import { ProblemResponse } from '../../problems/dto/problem.response.js';

export class FieldErrorResponse {
  @ApiField('Where the field is: a JSON pointer (RFC 6901).', '/location/latitude')
  pointer: string;

  @ApiField('What is wrong with it.', 'location.latitude must be from -90 to 90: 91')
  detail: string;
}

/** The problem `invalid_fields`. */
export class InvalidFieldsResponse extends OmitType(ProblemResponse, ['errors'] as const) {
  @ApiProperty({
    type: [FieldErrorResponse],
    maxItems: 100,
    description:
      'Every field that is not valid, once: the first 100, in the order of the fields, unknown ones last.',
  })
  errors: FieldErrorResponse[];
}

/** The problems with the status 409. */
export class ConflictResponse extends OmitType(ProblemResponse, ['errors'] as const) {
  @ApiField(
    'With `device_taken`: the tank that has the device, if your key sees it. With `already_planned`: the tank of the stop.',
    '019b7a6e-31c8-7f10-8a3e-0d6f1b2c3d4e',
    { required: false },
  )
  tank_id?: string;

  @ApiField(
    'With `already_planned`: the run that has an open stop there.',
    '019b7a6e-5a10-7b22-8c33-1d2e3f4a5b6c',
    {
      required: false,
    },
  )
  run_id?: string;

  @ApiField('With `owns_tanks`: how many tanks the customer has.', 3, {
    type: 'integer',
    minimum: 1,
    required: false,
  })
  tank_count?: number;
}
