// Decorators for properties of a kind that many responses have.
import { ApiProperty } from '@nestjs/swagger';

interface Bounds {
  readonly minimum?: number;
  readonly maximum?: number;
}

export function ApiInstant(
  description: string,
  example: string,
  more: { nullable?: true } = {},
): PropertyDecorator {
  return ApiProperty({ type: 'string', format: 'date-time', ...more, description, example });
}

export function ApiNullable(
  type: 'string' | 'number',
  description: string,
  example: string | number,
  bounds: Bounds = {},
): PropertyDecorator {
  return ApiProperty({ type, nullable: true, ...bounds, description, example });
}

/** `object`: names the type of an object. */
export function ApiObjectName(name: string): PropertyDecorator {
  return ApiProperty({ type: 'string', enum: [name], description: `Always \`${name}\`.`, example: name });
}

export function ApiDeleted(name: string): PropertyDecorator {
  const description = `Always true: the ${name} was deleted.`;
  return ApiProperty({ type: 'boolean', enum: [true], description, example: true });
}
