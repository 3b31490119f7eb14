// The answer in another format than JSON: rows, and headers for what the JSON around them would hold.
import { SetMetadata, type Type } from '@nestjs/common';
import { MEDIA_TYPES, type MediaType } from './media-types.js';

export type RowFormat = Exclude<MediaType, 'application/json'>;
export const ROW_FORMATS = MEDIA_TYPES.filter((type): type is RowFormat => type !== 'application/json');

export class Rows {
  constructor(
    readonly format: RowFormat,
    readonly items: readonly object[],
    /** Totals and links: in JSON they stand beside the data. */
    readonly headers: Readonly<Record<string, string>>,
  ) {}
}

export const ROW_TYPE = 'rowType';

/** Says what the rows of a route are: its columns are the class's fields. */
export const RowsOf = (type: Type): MethodDecorator => SetMetadata(ROW_TYPE, type);
