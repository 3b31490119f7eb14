// The search for words, `q`: each must be found in some field, whatever its case and accents. Customers and tanks keep what is searched of
// them folded and in one text, a line a field (search_text, fleet/sql/keep_search_text.sql); no word holds the end of a line, so none is found
// across two fields.
import { applyDecorators } from '@nestjs/common';
import { isStorable } from '../platform/database/reads.js';
import { ApiOptional } from './openapi/properties.js';
import { IsText, rule } from './validation/parameter-rules.js';

const MAX_WORDS = 5;
const LENGTH = { min: 2, max: 100 };

/** An EUI and a phone number are one word each, however many groups they are written in. */
const HEXADECIMAL = /(?<!\S)[\da-f\s.:-]+(?!\S)/gi;
const NUMBERS = /(?<!\S)[+(0][\d\s().+/-]*(?!\S)/g;
/** "Hauptstr." is kept as HAUPTSTRASSE, which begins with it; what is behind the dot or a comma is another word. */
const ENDS = /(?<=str)\.|(?<=[^\s,;])[,;]+(?!\S)/gi;

function wordsOf(q: string): string[] {
  const joined = q
    .replaceAll(HEXADECIMAL, (text) => {
      const digits = text.replaceAll(/[\s.:-]/g, '');
      return digits.length === 16 ? ` ${digits} ` : text;
    })
    .replaceAll(NUMBERS, (text) => (isWholePhone(text) ? ` ${text.replaceAll(/\s/g, '')} ` : text));
  return joined
    .replaceAll(ENDS, ' ')
    .split(/\s+/u)
    .filter((word) => word !== '');
}

/** Phones are the same if so many digits at their end are, whatever code of a country or area is before them. */
const WHOLE_PHONE = 8;
const digitsOf = (phone: string): string => phone.replaceAll(/\D/g, '');
const isWholePhone = (text: string): boolean => digitsOf(text).length >= WHOLE_PHONE;

/** `fields`: what is looked at. */
export function ApiSearch(objects: string, fields: string, example?: string): PropertyDecorator {
  return applyDecorators(
    ApiOptional(
      `Only ${objects} with these words, 1 to ${MAX_WORDS}, each in their ${fields}. Neither case nor accents matter; a phone and an EUI are one word.`,
      { minLength: LENGTH.min, maxLength: LENGTH.max, ...(example !== undefined && { example }) },
      HasFewWords(),
      IsText(LENGTH),
    ),
  );
}

function HasFewWords(): PropertyDecorator {
  return rule(
    'hasFewWords',
    (q) => typeof q !== 'string' || q.length < LENGTH.min || isFew(wordsOf(q).length),
    (shown) => `must be 1 to ${MAX_WORDS} words, not ${shown}`,
  );
}

const isFew = (words: number): boolean => words >= 1 && words <= MAX_WORDS;

/** A phone number, +31-10-555, and parts of a device's id, A8:40:41: both are kept without what is between their digits, too. */
const PHONE = /^[+(0][\d().+/-]{5,}$/;
const PARTS = /^[\da-f]{2,}(?:[-:.][\da-f]+)+[-:.]?$/i;

/** How a word may be found: as a part of what is kept; or otherwise, a phone or the name of a country as a whole, which stand between tabs there. */
function ways(word: string): [string, string] {
  if (!PHONE.test(word)) return [word, PARTS.test(word) ? word.replaceAll(/[-:.]/g, '') : `\t${word}\t`];
  const digits = digitsOf(word);
  return [digits, isWholePhone(word) ? `\t${digits.slice(-WHOLE_PHONE)}\t` : digits];
}

/** As the parameter of a statement that has the condition below. What no text can have stays as it is, and finds nothing. */
export const searchValue = (q: string): string => (isStorable(q) ? JSON.stringify(wordsOf(q).map(ways)) : q);

/** The condition that each word is in one of these texts, each of which may be null. `parameter`: such as $5. */
export function hasWords(parameter: string, ...texts: readonly string[]): string {
  return Array.from({ length: MAX_WORDS }, (_, i) => {
    // Folded once; '' is found everywhere, null nowhere.
    const word = `(select coalesce(folded(${parameter}::json -> ${i} ->> 0), ''))`;
    const otherwise = `(select searched_as(${parameter}::json -> ${i} ->> 1))`;
    const found = texts.flatMap((text) => [word, otherwise].map((way) => `strpos(${text}, ${way}) > 0`));
    return `(${found.join(' or ')})`;
  }).join(' and ');
}

/** The condition that any of the words is in the text. */
export function hasAnyWord(parameter: string, text: string): string {
  return `exists (
    select from unnest((
      select array_agg(searched_as(way)) from json_array_elements(${parameter}::json) ways cross join json_array_elements_text(ways) way
    )) way where strpos(${text}, way) > 0)`;
}
