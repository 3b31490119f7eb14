// The list envelope, for the OpenAPI document.
import type { Type } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';

export interface ListType extends Type<object> {
  readonly itemType: Type<object>;
}

/** The envelope around one type of object, under a name of its own. */
export function listResponseOf(itemType: Type<object>, name: string): ListType {
  class ListOfItems {
    static readonly itemType = itemType;

    @ApiProperty({ type: 'string', enum: ['list'], description: 'Always `list`.', example: 'list' })
    object: 'list';

    @ApiProperty({
      type: [itemType],
      description: "Up to `size` objects, in the list's order; empty when there are no more.",
    })
    data: object[];

    @ApiProperty({ type: 'integer', minimum: 1, description: 'The page returned.', example: 1 })
    page: number;

    @ApiProperty({ type: 'integer', minimum: 1, maximum: 100, description: 'The page size.', example: 10 })
    size: number;

    @ApiProperty({
      type: 'integer',
      minimum: 0,
      description: 'How many pages there are; 0 when there are no items.',
      example: 6,
    })
    total_pages: number;

    @ApiProperty({ type: 'integer', minimum: 0, description: 'How many items there are.', example: 57 })
    total_items: number;
  }
  Object.defineProperty(ListOfItems, 'name', { value: name });
  return ListOfItems;
}
