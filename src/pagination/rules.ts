// What a list parameter may look like, as class-validator rules whose messages say how to fix the value.
import { ValidateBy } from 'class-validator';
import { parseDatetime } from '../datetime/datetime.js';

/** Plain decimal digits, never clamped: `1e3`, `1.5`, `-1` and an empty value are refused. `max` may depend on the query. */
export function IsWholeNumber(bounds: {
  min: number;
  max?: number | ((query: object) => number);
}): PropertyDecorator {
  const { min, max = Infinity } = bounds;
  const maxIn = (query: object) => (typeof max === 'number' ? max : max(query));
  const range = (most: number) => (most === Infinity ? `of at least ${min}` : `from ${min} to ${most}`);
  return rule(
    'isWholeNumber',
    (value, query) => /^\d+$/.test(value) && isBetween(min, Number(value), maxIn(query)),
    (shown, query) => `must be a whole number ${range(maxIn(query))}, in plain digits, not ${shown}`,
  );
}

export function IsDatetime(): PropertyDecorator {
  return rule(
    'isDatetime',
    (value) => parseDatetime(repairPlus(value)) !== undefined,
    (shown) =>
      `must be an ISO 8601 datetime such as 2026-01-31T08:15:30Z, 2026-01-31T08:15:30.123+02:00 or 2026-01-31, not ${shown}`,
  );
}

export function IsFilled(): PropertyDecorator {
  return rule(
    'isFilled',
    (value) => value !== '',
    () => 'must not be empty; leave the parameter out to see all',
  );
}

export function IsOneOf(allowed: readonly string[]): PropertyDecorator {
  return rule(
    'isOneOf',
    (value) => allowed.includes(value),
    (shown) => `must be one of ${allowed.join(', ')}, not ${shown}`,
  );
}

/** A character outside the basic plane, such as an emoji, counts as one. */
export function IsText({ min, max }: { min: number; max: number }): PropertyDecorator {
  return rule(
    'isText',
    (value) => value.length <= 2 * max && isBetween(min, Array.from(value).length, max),
    (shown) => `must have ${min} to ${max} characters, not ${shown}`,
  );
}

function isBetween(min: number, n: number, max: number): boolean {
  return n >= min && n <= max;
}

/** `+02:00` written into a URL unescaped arrives as ` 02:00`. */
export function repairPlus(datetime: string): string {
  return datetime.replace(/ (?=\d\d:\d\d$)/, '+');
}

export function rule(
  name: string,
  holds: (value: string, query: object) => boolean,
  message: (shown: string, query: object) => string,
): PropertyDecorator {
  return ValidateBy({
    name,
    validator: {
      validate: (value: unknown, context) => typeof value === 'string' && holds(value, context?.object ?? {}),
      defaultMessage: (context) =>
        message(JSON.stringify(String(context?.value).slice(0, 100)), context?.object ?? {}),
    },
  });
}
