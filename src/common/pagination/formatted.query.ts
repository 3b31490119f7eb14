// The parameters of an address that answers in several formats.
import { ApiHideProperty } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import { MEDIA_TYPES, type MediaType, type RowFormat } from './media-types.js';

export abstract class FormattedQuery {
  /** No parameter: PaginationInterceptor puts it here, by Accept, since what some parameters may be depends on it. */
  @ApiHideProperty()
  @IsIn(MEDIA_TYPES, { message: 'is not a parameter; ask for a format with the header Accept' })
  format: MediaType = 'application/json';

  /** The format when it is not JSON. */
  get rowFormat(): RowFormat | undefined {
    return this.format === 'application/json' ? undefined : this.format;
  }
}
