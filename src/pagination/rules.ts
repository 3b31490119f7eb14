// What a list parameter may look like, as class-validator rules whose messages say how to fix the value.
import { ValidateBy } from 'class-validator';
import { parseDatetime } from '../datetime/datetime.js';

/** Plain decimal digits, never clamped: `1e3`, `1.5`, `-1` and an empty value are all refused. */
export function IsWholeNumber({ min, max }: { min: number; max?: number }): PropertyDecorator {
  const range = max === undefined ? `of at least ${min}` : `from ${min} to ${max}`;
  return rule(
    'isWholeNumber',
    (value) => /^\d+$/.test(value) && Number(value) >= min && Number(value) <= (max ?? Infinity),
    (shown) => `must be a whole number ${range}, in plain digits, not ${shown}`,
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

/** `+02:00` written into a URL unescaped arrives as ` 02:00`. */
export function repairPlus(datetime: string): string {
  return datetime.replace(/ (?=\d\d:\d\d$)/, '+');
}

function rule(
  name: string,
  holds: (value: string) => boolean,
  message: (shown: string) => string,
): PropertyDecorator {
  return ValidateBy({
    name,
    validator: {
      validate: (value: unknown) => typeof value === 'string' && holds(value),
      defaultMessage: (context) => message(JSON.stringify(String(context?.value).slice(0, 100))),
    },
  });
}
