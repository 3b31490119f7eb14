// How properties that many responses have are described: parts for @ApiProperty, and decorators.
import { ApiProperty } from '@nestjs/swagger';

export const TEXT_OR_NULL = { type: 'string', nullable: true } as const;
export const INSTANT = { type: 'string', format: 'date-time' } as const;
export const FILL = { type: 'number', minimum: 0, maximum: 100 } as const;
export const COUNT = { type: 'integer', minimum: 0 } as const;
export const TANK_ID = {
  description: 'Identifier of the tank.',
  example: '019b7a6e-31c8-7f10-8a3e-0d6f1b2c3d4e',
} as const;

interface Bounds {
  readonly minimum?: number;
  readonly maximum?: number;
}

export function ApiInstant(
  description: string,
  example: string,
  more: { nullable?: true; required?: false } = {},
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
