// The parameters of everything that comes in pages: which page, of what size.
import { ApiProperty } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { FormattedQuery } from '../../formats/formatted.query.js';
import { IsWholeNumber } from '../rules.js';

export const DEFAULT_SIZE = 10;
export const MAX_SIZE = 100;
/** Rows are lighter than an envelope, and whoever asks for them wants many. */
export const MAX_SIZE_OF_ROWS = 10_000;

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
  page?: string;

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
  size?: string;

  /** A page past every number JavaScript can hold exactly is still echoed to the digit. */
  get pageNumber(): number | bigint {
    const page = Number(this.page ?? 1);
    return Number.isSafeInteger(page) ? page : BigInt(this.page ?? 1);
  }

  get pageSize(): number {
    return Number(this.size ?? DEFAULT_SIZE);
  }

  get isLarge(): boolean {
    return this.pageSize > MAX_SIZE;
  }

  override get isLong(): boolean {
    return this.isLarge;
  }

  /** All but the page, as they stand in a link. */
  get otherParameters(): string {
    return Object.entries(this)
      .filter(([name, value]) => name !== 'page' && typeof value === 'string')
      .map(([name, value]) => `&${name}=${encodeURIComponent(String(value))}`)
      .join('');
  }

  get skip(): number {
    return Math.min((Number(this.page ?? 1) - 1) * this.pageSize, Number.MAX_SAFE_INTEGER);
  }
}

function maxSize(query: object): number {
  return query instanceof FormattedQuery && query.rowFormat !== undefined ? MAX_SIZE_OF_ROWS : MAX_SIZE;
}
