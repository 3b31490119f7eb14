// The shape of every error body, for the OpenAPI document.
import { ApiProperty } from '@nestjs/swagger';
import { PROBLEM_CODES, type ProblemCode } from '../problem.js';

export class ParameterErrorResponse {
  @ApiProperty({ description: 'The parameter that is not valid.', example: 'size' })
  parameter: string;

  @ApiProperty({
    description: 'What is wrong with it and what would be right.',
    example: 'must be a whole number from 1 to 100, not "500"',
  })
  detail: string;
}

export class ProblemResponse {
  @ApiProperty({
    description: 'Always `about:blank`. Use `code` to distinguish problems.',
    example: 'about:blank',
  })
  type: string;

  @ApiProperty({ description: 'The name of the status code.', example: 'Bad Request' })
  title: string;

  @ApiProperty({ type: 'integer', description: 'The status code of the response.', example: 400 })
  status: number;

  @ApiProperty({
    description: 'What went wrong and how to fix it, for a person.',
    example: 'Fix this parameter and try again: size.',
  })
  detail: string;

  @ApiProperty({
    enum: PROBLEM_CODES,
    description: 'A stable name of the problem, for a program.',
    example: 'invalid_parameters',
  })
  code: ProblemCode;

  @ApiProperty({
    description: 'The id of this request, as in the `X-Request-Id` header and in the logs.',
    example: 'qX3v9Zk2LmNpR7sTuVwY',
  })
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
