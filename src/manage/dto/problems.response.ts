// The problems of requests that write one object, where they say more than others, for the OpenAPI document.
import { ApiProperty, OmitType } from '@nestjs/swagger';
import { ProblemResponse } from '../../problems/dto/problem.response.js';

export class FieldErrorResponse {
  @ApiProperty({
    description: 'Where the field is: a JSON pointer (RFC 6901).',
    example: '/location/latitude',
  })
  pointer: string;

  @ApiProperty({
    description: 'What is wrong with it.',
    example: 'location.latitude must be from -90 to 90: 91',
  })
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
  @ApiProperty({
    required: false,
    description: 'With `device_taken`: the tank that has the device, if your key sees it.',
    example: '019b7a6e-31c8-7f10-8a3e-0d6f1b2c3d4e',
  })
  tank_id?: string;

  @ApiProperty({
    type: 'integer',
    minimum: 1,
    required: false,
    description: 'With `owns_tanks`: how many tanks the customer has.',
    example: 3,
  })
  tank_count?: number;
}
