// What a parameter may look like, as rules of class-validator whose messages say how to fix the value; class-transformer makes numbers,
// instants and flags of the texts that were sent.
import { applyDecorators } from '@nestjs/common';
import { Transform, type TransformFnParams } from 'class-transformer';
import { IsIn, Length, ValidateBy, type ValidationArguments, type ValidationOptions } from 'class-validator';
import { DAY_MS, parseDatetime } from '../datetime/datetime.js';
import { isTimeZone, nearestTimeZone, startOfDay, UTC } from '../datetime/time-zone.js';

/** Plain decimal digits, never clamped: `1e3`, `1.5`, `-1` and an empty value are refused. `max` may depend on what else was sent. */
export function IsWholeNumber({ min, max = Number.MAX_SAFE_INTEGER }: Bounds): PropertyDecorator {
  const maxIn = (query: object) => (typeof max === 'number' ? max : max(query));
  const range = (most: number, sent: unknown) =>
    most === Number.MAX_SAFE_INTEGER && !(Number(sent) > most)
      ? `of at least ${min}`
      : `from ${min} to ${most}`;
  return parsedAs(
    'isWholeNumber',
    (text, query) =>
      /^\d+$/.test(text) && Number(text) >= min && Number(text) <= maxIn(query) ? Number(text) : undefined,
    (shown, { value, object }) =>
      `must be a whole number ${range(maxIn(object), value)}, in plain digits, not ${shown}`,
  );
}

interface Bounds {
  readonly min: number;
  readonly max?: number | ((query: object) => number);
}

/** The first (or last) whole millisecond of the range that it bounds: a date alone stands for its whole day, in UTC unless another zone was sent. */
export function IsDatetime(
  edge: 'first' | 'last',
  zoneIn: (query: object) => string = () => UTC,
): PropertyDecorator {
  return parsedAs(
    'isDatetime',
    (text, query) => {
      const parsed = parseDatetime(repairPlus(text));
      if (parsed === undefined) return undefined;
      const { milliseconds, hasRemainder, isDate } = parsed;
      if (!isDate) return new Date(milliseconds + (edge === 'first' && hasRemainder ? 1 : 0));
      const day = milliseconds / DAY_MS;
      const zone = zoneIn(query);
      return new Date(edge === 'first' ? startOfDay(zone, day) : startOfDay(zone, day + 1) - 1);
    },
    (shown) =>
      `must be an ISO 8601 datetime such as 2026-01-31T08:15:30Z, 2026-01-31T08:15:30.123+02:00 or 2026-01-31, not ${shown}`,
  );
}

/** `+02:00` written into a URL unescaped arrives as ` 02:00`. */
function repairPlus(datetime: string): string {
  return datetime.replace(/ (?=\d\d:\d\d$)/, '+');
}

export function IsTimeZone(): PropertyDecorator {
  return rule('isTimeZone', isTimeZone, (shown, { value }) => {
    const near = nearestTimeZone(String(value));
    const hint = near === undefined ? '' : `; did you mean ${near}?`;
    return `must be a time zone of the IANA database, such as Europe/Vienna, not ${shown}${hint}`;
  });
}

export function IsFlag(): PropertyDecorator {
  return parsedAs(
    'isFlag',
    (text) => (text === 'true' || text === 'false' ? text === 'true' : undefined),
    (shown) => `must be true or false, not ${shown}`,
  );
}

export function IsOneOf(allowed: readonly string[]): PropertyDecorator {
  return IsIn(
    allowed,
    saying((shown) => `must be one of ${allowed.join(', ')}, not ${shown}`),
  );
}

export function IsFilled(): PropertyDecorator {
  return Length(
    1,
    undefined,
    saying(() => 'must not be empty; leave the parameter out to see all'),
  );
}

/** A character outside the basic plane, such as an emoji, counts as one. */
export function IsText({ min, max }: { min: number; max: number }): PropertyDecorator {
  return Length(
    min,
    max,
    saying((shown) => `must have ${min} to ${max} characters, not ${shown}`),
  );
}

type Message = (shown: string, context: ValidationArguments) => string;

/** Of another value than a text, which is several that were sent under one name, it says that. */
export function saying(message: Message): ValidationOptions {
  return {
    message: (context) => {
      const value: unknown = context.value;
      if (Array.isArray(value)) return 'was sent more than once; send it once';
      return message(JSON.stringify(String(value).slice(0, 100)), context);
    },
  };
}

/** A text becomes what `parse` makes of it, or stays as it was and is refused. */
function parsedAs(
  name: string,
  parse: (text: string, query: object) => object | number | boolean | undefined,
  message: Message,
): PropertyDecorator {
  return applyDecorators(
    Transform(({ value, obj }: TransformFnParams) => {
      const sent: unknown = value;
      return typeof sent === 'string' ? (parse(sent, obj as object) ?? sent) : sent;
    }),
    ValidateBy(
      { name, validator: { validate: (value) => typeof value !== 'string' && !Array.isArray(value) } },
      saying(message),
    ),
  );
}

/** A rule of its own. */
export function rule(
  name: string,
  holds: (value: unknown, query: object) => boolean,
  message: Message,
): PropertyDecorator {
  const validate = (value: unknown, context?: ValidationArguments) => holds(value, context?.object ?? {});
  return ValidateBy({ name, validator: { validate } }, saying(message));
}
