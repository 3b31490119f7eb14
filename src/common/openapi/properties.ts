// How properties that many responses have are described: parts for @ApiProperty, and decorators.
import { applyDecorators } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { IsDefined, IsOptional } from 'class-validator';
import { IsText } from '../validation/field-rules.js';

export const TEXT_OR_NULL = { type: 'string', nullable: true } as const;
export const NUMBER_OR_NULL = { type: 'number', nullable: true } as const;
export const INSTANT = { type: 'string', format: 'date-time' } as const;
export const FILL = { type: 'number', minimum: 0, maximum: 100 } as const;
/** Anything that JSON can be. */
export const ANY_JSON = {
  oneOf: [
    { type: 'object', additionalProperties: true },
    { type: 'array', items: {} },
    { type: 'string' },
    { type: 'number' },
    { type: 'boolean' },
    { type: 'null' },
  ],
};
export const COUNT = { type: 'integer', minimum: 0 } as const;
export const TANK_ID = {
  description: 'Identifier of the tank.',
  example: '019b7a6e-31c8-7f10-8a3e-0d6f1b2c3d4e',
} as const;

/** What it is, an example, and what else the document says of it. */
export function ApiField(
  description: string,
  example: unknown,
  more: ApiPropertyOptions = {},
): PropertyDecorator {
  return ApiProperty({ ...more, description, example });
}

/** A parameter that may be left out, with the rules that it is checked by. */
export function ApiOptional(
  description: string,
  more: ApiPropertyOptions,
  ...rules: PropertyDecorator[]
): PropertyDecorator {
  const property = { type: 'string', required: false, ...more, description } as ApiPropertyOptions;
  return applyDecorators(ApiProperty(property), IsOptional(), ...rules);
}

/** A parameter that must be sent. */
export function ApiRequired(
  description: string,
  more: ApiPropertyOptions,
  ...rules: PropertyDecorator[]
): PropertyDecorator {
  const property = { type: 'string', ...more, description } as ApiPropertyOptions;
  return applyDecorators(ApiProperty(property), IsDefined({ message: 'is missing' }), ...rules);
}

export function ApiInstant(
  description: string,
  example: string,
  more: { required?: false } = {},
): PropertyDecorator {
  return ApiField(description, example, { ...INSTANT, ...more });
}

export function ApiInstantOrNull(
  description: string,
  example: string,
  more: { required?: false } = {},
): PropertyDecorator {
  return ApiField(description, example, { ...INSTANT, nullable: true, ...more });
}

/** With its rule: may be left out or null. */
export const OptionalText = (description: string, example: string): PropertyDecorator =>
  applyDecorators(ApiField(description, example, TEXT_OR_NULL), IsOptional(), IsText());

/** `object`: names the type of an object. */
export function ApiObjectName(name: string): PropertyDecorator {
  return ApiField(`Always \`${name}\`.`, name, { type: 'string', enum: [name] });
}

export function ApiDeleted(name: string): PropertyDecorator {
  return ApiField(`Always true: the ${name} was deleted.`, true, { type: 'boolean', enum: [true] });
}
