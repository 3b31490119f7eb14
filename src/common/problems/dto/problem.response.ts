// The shape of every error body, for the OpenAPI document.
import { ApiProperty } from '@nestjs/swagger';
import { ApiField } from '../../openapi/properties.js';
import { PROBLEM_CODES, type ProblemCode } from '../problem.js';

export class ParameterErrorResponse {
  @ApiField('The parameter that is not valid.', 'size')
  parameter: string;

  @ApiField(
    'What is wrong with it and what would be right.',
    'must be a whole number from 1 to 100, not "500"',
  )
  detail: string;
}

export class ProblemResponse {
  @ApiField('Always `about:blank`. Use `code` to distinguish problems.', 'about:blank')
  type: string;

  @ApiField('The name of the status code.', 'Bad Request')
  title: string;

  @ApiField('The status code of the response.', 400, { type: 'integer' })
  status: number;

  @ApiField('What went wrong and how to fix it, for a person.', 'Fix this parameter and try again: size.')
  detail: string;

  @ApiField('A stable name of the problem, for a program.', 'invalid_parameters', { enum: PROBLEM_CODES })
  code: ProblemCode;

  @ApiField(
    'The id of this request, as in the `X-Request-Id` header and in the logs.',
    '9b2f0c64-5d1e-4a7b-8f3c-6e1d2a9b7c50',
  )
  request_id: string;

  @ApiProperty({
    type: [ParameterErrorResponse],
    required: false,
    maxItems: 100,
    description:
      'Every parameter that is not valid, with status 400. The first 100 are named, the rest are counted in `detail`.',
  })
  errors?: ParameterErrorResponse[];
}
