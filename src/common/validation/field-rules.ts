// Rules for the fields of bodies and of imported lines, as decorators of class-validator. One message a field: what is wrong with its value.
import { applyDecorators } from '@nestjs/common';
import { Transform, Type, type TransformFnParams } from 'class-transformer';
import { ValidateBy, ValidateIf, ValidateNested, type ValidationArguments } from 'class-validator';
import { fault, writeMessage, quote, type Fault } from './fault.js';
import { ObjectsWithin } from './names.js';
import { readInstant, MISSING, noInstant, numberFault, textFault } from './values.js';
import type { NumberBounds, TextBounds } from './values.js';

export const IsText = (bounds: TextBounds = {}) => fieldRule('isText', (value) => textFault(value, bounds));

export const IsNumberIn = (bounds: NumberBounds) =>
  fieldRule('isNumberIn', (value) => numberFault(value, bounds));

export const IsTrueOrFalse = () =>
  fieldRule('isTrueOrFalse', (value) =>
    typeof value === 'boolean' ? undefined : fault('must be true or false', quote(value)),
  );

export const IsAmong = (allowed: readonly string[]) =>
  fieldRule('isAmong', (value) =>
    typeof value === 'string' && allowed.includes(value)
      ? undefined
      : fault(`must be one of ${allowed.join(', ')}`, quote(value)),
  );

/** It may be sent as it is anyway. */
export const IsExactly = (only: string | false, advice = '') =>
  fieldRule('isExactly', (value) =>
    value === only ? undefined : fault(`must be ${only}${advice}`, quote(value)),
  );

/** A text becomes a Date, or stays as it was and is refused. */
export const IsInstant = () =>
  applyDecorators(
    Transform(({ value }: TransformFnParams): unknown => {
      const milliseconds = readInstant(value);
      return milliseconds === undefined ? value : new Date(milliseconds);
    }),
    fieldRule('isInstant', (value) => (value instanceof Date ? undefined : noInstant(value))),
  );

/** An object of this class within the object. */
export function IsObjectOf(type: new () => object, orNull: '' | ' or null' = ''): PropertyDecorator {
  return applyDecorators(
    Type(() => type),
    ValidateNested({ message: 'must be an object' }),
    fieldRule(
      'isObjectOf',
      (value) =>
        typeof value === 'object' && value !== null && !Array.isArray(value)
          ? undefined
          : fault(`must be an object${orNull}`, quote(value)),
      new ObjectsWithin(type),
    ),
  );
}

/** An array of objects of this class. */
export function IsListOf(
  type: new () => object,
  { min = 0, max, of = 'objects' }: { min?: 0 | 1; max: number; of?: string },
): PropertyDecorator {
  return applyDecorators(
    Type(() => type),
    ValidateNested({ each: true, message: 'must be an object' }),
    fieldRule(
      'isListOf',
      (value) =>
        Array.isArray(value) && value.length >= min && value.length <= max
          ? undefined
          : fault(`must be an array of ${min === 0 ? 'at most' : `${min} to`} ${max} ${of}`),
      new ObjectsWithin(type, max),
    ),
  );
}

/** May be left out, but is not null: what IsOptional() would allow. */
export const MayBeLeftOut = () => ValidateIf((_, value) => value !== undefined);

/** `faultOf` finds what is wrong with a value, and may look at the object it is in. */
export function fieldRule(
  name: string,
  faultOf: (value: unknown, object: object) => Fault | undefined,
  ...constraints: unknown[]
): PropertyDecorator {
  const foundIn = (value: unknown, context?: ValidationArguments) => faultOf(value, context?.object ?? {});
  return ValidateBy({
    name,
    constraints,
    validator: {
      validate: (value: unknown, context) => foundIn(value, context) === undefined,
      defaultMessage: (context) => {
        const value: unknown = context?.value;
        return writeMessage(value === undefined ? MISSING : (foundIn(value, context) ?? MISSING));
      },
    },
  });
}

/** Of `full`, beside `empty`: what is measured then. */
export function fullFault(value: unknown, points: object): Fault | undefined {
  const isEqual = 'empty' in points && points.empty === value;
  return numberFault(value) ?? (isEqual ? fault('must differ from empty', String(value)) : undefined);
}
