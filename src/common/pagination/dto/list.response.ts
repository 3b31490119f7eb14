// The list envelope, for the OpenAPI document.
import type { Type } from '@nestjs/common';
import { ApiField, ApiObjectName, COUNT } from '../../openapi/properties.js';
import { ApiProperty } from '@nestjs/swagger';
import { MAX_SIZE } from './page.query.js';

export interface ListType extends Type<object> {
  readonly itemType: Type<object>;
}

/** The envelope around one type of object, under a name of its own. */
export function createListResponse(itemType: Type<object>, name: string): ListType {
  class ListOfItems {
    static readonly itemType = itemType;

    @ApiObjectName('list')
    object: 'list';

    @ApiProperty({
      type: [itemType],
      description: "Up to `size` objects, in the list's order; empty when there are no more.",
    })
    data: object[];

    @ApiField('The page returned.', 1, { type: 'integer', minimum: 1 })
    page: number;

    @ApiField('The page size.', 10, { type: 'integer', minimum: 1, maximum: MAX_SIZE })
    size: number;

    @ApiField('How many pages there are; 0 when there are no items.', 6, COUNT)
    total_pages: number;

    @ApiField('How many items there are.', 57, COUNT)
    total_items: number;
  }
  Object.defineProperty(ListOfItems, 'name', { value: name });
  return ListOfItems;
}
