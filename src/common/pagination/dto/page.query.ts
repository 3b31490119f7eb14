// The parameters of everything that comes in pages: which page, of what size.
import type { Type } from '@nestjs/common';
import { oncePerHandler } from '../../once-per-handler.js';
import { ApiOptional } from '../../openapi/properties.js';
import { IsWholeNumber } from '../../validation/parameter-rules.js';
import { ApiHideProperty } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import { MEDIA_TYPES, type MediaType, type RowFormat } from '../media-types.js';

/** The parameters of a read, which may come in a form body as well: what `curl -X GET -d page=2` sends. */
export abstract class ReadQuery {}

/** The class of such parameters that a handler declares, as Nest's pipes know it. */
export const findQueryClass = oncePerHandler((context): Type | undefined => {
  const { prototype } = context.getClass();
  const { name } = context.getHandler();
  const declared = Reflect.getMetadata('design:paramtypes', prototype as object, name) as Type[];
  return (declared ?? []).find((type) => type?.prototype instanceof ReadQuery);
});

export abstract class FormattedQuery extends ReadQuery {
  /** No parameter: PaginationInterceptor puts it here, by Accept, since what some parameters may be depends on it. */
  @ApiHideProperty()
  @IsIn(MEDIA_TYPES, { message: 'is not a parameter; ask for a format with the header Accept' })
  format: MediaType = 'application/json';

  /** The format when it is not JSON. */
  get rowFormat(): RowFormat | undefined {
    return this.format === 'application/json' ? undefined : this.format;
  }
}

const DEFAULT_SIZE = 10;
export const MAX_SIZE = 100;
/** Rows are lighter than an envelope, and whoever asks for them wants many. */
const MAX_SIZE_OF_ROWS = 10_000;

export class PageQuery extends FormattedQuery {
  @ApiOptional(
    'Which page to return.',
    { type: 'integer', minimum: 1, default: 1 },
    IsWholeNumber({ min: 1 }),
  )
  page: number = 1;

  @ApiOptional(
    `How many objects to return at most: up to ${MAX_SIZE} in JSON, up to ${MAX_SIZE_OF_ROWS} in CSV and NDJSON.`,
    { type: 'integer', minimum: 1, maximum: MAX_SIZE, default: DEFAULT_SIZE },
    IsWholeNumber({ min: 1, max: maxSize }),
  )
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
