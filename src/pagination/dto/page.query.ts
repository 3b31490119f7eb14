// The parameters of everything that comes in pages: which page, of what size.
import { ApiProperty } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { FormattedQuery } from '../../formats/formatted.query.js';
import { IsWholeNumber } from '../../validation/rules.js';

const DEFAULT_SIZE = 10;
export const MAX_SIZE = 100;
/** Rows are lighter than an envelope, and whoever asks for them wants many. */
const MAX_SIZE_OF_ROWS = 10_000;

export class PageQuery extends FormattedQuery {
  @ApiProperty({
    type: 'integer',
    required: false,
    minimum: 1,
    default: 1,
    description: 'Which page to return.',
  })
  @IsOptional()
  @IsWholeNumber({ min: 1 })
  page: number = 1;

  @ApiProperty({
    type: 'integer',
    required: false,
    minimum: 1,
    maximum: MAX_SIZE_OF_ROWS,
    default: DEFAULT_SIZE,
    description: `How many objects to return at most: up to ${MAX_SIZE} in JSON, up to ${MAX_SIZE_OF_ROWS} in CSV and NDJSON.`,
  })
  @IsOptional()
  @IsWholeNumber({ min: 1, max: maxSize })
  size: number = DEFAULT_SIZE;

  get isLarge(): boolean {
    return this.size > MAX_SIZE;
  }

  /** How many objects come before the page. */
  get skip(): number {
    return Math.min((this.page - 1) * this.size, Number.MAX_SAFE_INTEGER);
  }
}

function maxSize(query: object): number {
  return 'format' in query && query.format !== 'application/json' ? MAX_SIZE_OF_ROWS : MAX_SIZE;
}
