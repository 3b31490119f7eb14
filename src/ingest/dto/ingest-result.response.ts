// The result of a request with readings.
import { ApiProperty, IntersectionType, OmitType } from '@nestjs/swagger';
import { ApiObjectName } from '../../openapi/properties.js';
import { ProblemResponse } from '../../problems/dto/problem.response.js';
import { REFUSAL_CODES, type RefusalCode } from '../reading.js';

const Count = (description: string, example: number): PropertyDecorator =>
  ApiProperty({ type: 'integer', minimum: 0, description, example });

export class ReadingErrorResponse {
  @Count('Which reading, counted from 0; empty lines and the CSV header do not count.', 4)
  index: number;

  @ApiProperty({
    enum: REFUSAL_CODES,
    description: 'A stable code, for programs.',
    example: 'unknown_device',
  })
  code: RefusalCode;

  @ApiProperty({
    description: 'What is wrong, for people.',
    example: 'no tank has this device: "dev-18a3f2"',
  })
  detail: string;
}

/** The five add up to the readings that were sent. */
class ReadingCounts {
  @Count('New readings.', 2)
  created: number;

  @Count('Readings that replaced a stored value.', 0)
  updated: number;

  @Count('Readings that were stored already, with the same value.', 1)
  unchanged: number;

  @Count('Readings replaced by a later one of this request, of the same tank and instant.', 0)
  superseded: number;

  @Count('Readings that were refused; if there are any, the answer is a 400.', 0)
  refused: number;

  @ApiProperty({
    type: [ReadingErrorResponse],
    description: 'Why readings were refused: the first 100, in the order they were sent.',
    example: [],
  })
  errors: ReadingErrorResponse[];
}

export class IngestResultResponse extends ReadingCounts {
  @ApiObjectName('ingest_result')
  object: 'ingest_result';
}

/** The problem `readings_refused`. */
export class ReadingsRefusedResponse extends IntersectionType(
  OmitType(ProblemResponse, ['errors'] as const),
  ReadingCounts,
) {}
