// What became of the readings of a request.
import { ApiProperty, IntersectionType, OmitType } from '@nestjs/swagger';
import { ProblemResponse } from '../../problems/dto/problem.response.js';
import { REFUSAL_CODES, type RefusalCode } from '../reading.js';

const Count = (description: string, example: number): PropertyDecorator =>
  ApiProperty({ type: 'integer', minimum: 0, description, example });

export class ReadingErrorResponse {
  @ApiProperty({
    type: 'integer',
    minimum: 0,
    description: 'Which reading, counted from 0; empty lines and the CSV header do not count.',
    example: 4,
  })
  index: number;

  @ApiProperty({
    enum: REFUSAL_CODES,
    description: 'A stable name of what is wrong, for a program.',
    example: 'unknown_device',
  })
  code: RefusalCode;

  @ApiProperty({
    description: 'What is wrong, for a person.',
    example: 'no tank has this device: "dev-18a3f2"',
  })
  detail: string;
}

/** The five add up to the readings that were sent. */
class ReadingCounts {
  @Count('Readings of instants that had none.', 2)
  created: number;

  @Count('Readings whose instant had another value.', 0)
  updated: number;

  @Count('Readings that were stored already.', 1)
  unchanged: number;

  @Count('Readings of a tank and instant that a later one of the same request overtook.', 0)
  superseded: number;

  @Count('Readings that were refused; with any, the answer is a 400.', 0)
  refused: number;

  @ApiProperty({
    type: [ReadingErrorResponse],
    description: 'Why readings were refused, in their order: the first 100.',
    example: [],
  })
  errors: ReadingErrorResponse[];
}

export class IngestResultResponse extends ReadingCounts {
  @ApiProperty({
    type: 'string',
    enum: ['ingest_result'],
    description: 'Always `ingest_result`.',
    example: 'ingest_result',
  })
  object: 'ingest_result';
}

/** The problem `readings_refused`. */
export class ReadingsRefusedResponse extends IntersectionType(
  OmitType(ProblemResponse, ['errors'] as const),
  ReadingCounts,
) {}
