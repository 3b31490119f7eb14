// The result of a request with readings.
import { IntersectionType, OmitType } from '@nestjs/swagger';
import { ApiField, ApiObjectName, COUNT } from '../../../common/openapi/properties.js';
import { ProblemResponse } from '../../../common/problems/dto/problem.response.js';
import { REFUSAL_CODES, type RefusalCode } from '../reading.js';

export class ReadingErrorResponse {
  @ApiField('Which reading, counted from 0; empty lines and the CSV header do not count.', 4, COUNT)
  index: number;

  @ApiField('A stable code, for programs.', 'unknown_device', { enum: REFUSAL_CODES })
  code: RefusalCode;

  @ApiField('What is wrong, for people.', 'no tank has this device: "dev-18a3f2"')
  detail: string;
}

/** The five add up to the readings that were sent. */
class ReadingCounts {
  @ApiField('New readings.', 2, COUNT)
  created: number;

  @ApiField('Readings that replaced a stored value.', 0, COUNT)
  updated: number;

  @ApiField('Readings that were stored already, with the same value.', 1, COUNT)
  unchanged: number;

  @ApiField('Readings replaced by a later one of this request, of the same tank and instant.', 0, COUNT)
  superseded: number;

  @ApiField('Readings that were refused; if there are any, the answer is a 400.', 0, COUNT)
  refused: number;

  @ApiField('Why readings were refused: the first 100, in the order they were sent.', [], {
    type: [ReadingErrorResponse],
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
