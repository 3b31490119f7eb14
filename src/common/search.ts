// The search for words, `q`: each must be found in some field, whatever its case and accents. Customers and tanks keep what is searched of
// them folded and in one text, a line a field (search_text); no word holds the end of a line, so none is found across two fields.
import { applyDecorators } from '@nestjs/common';
import { isStorable } from '../platform/database/reads.js';
import { ApiOptional } from './openapi/properties.js';
import { IsText, rule } from './validation/parameter-rules.js';

const MAX_WORDS = 5;
const LENGTH = { min: 2, max: 100 };

const wordsOf = (q: string): string[] => q.split(/\s+/u).filter((word) => word !== '');

/** `fields`: what is looked at. */
export function ApiSearch(objects: string, fields: string, example?: string): PropertyDecorator {
  return applyDecorators(
    ApiOptional(
      `Only ${objects} with these words, 1 to ${MAX_WORDS}, each in their ${fields}. Neither case nor accents matter.`,
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

/** A phone number or a device's id, written with signs between its digits: +31-10-555, A8:40:41. Both are kept without them, too. */
const PHONE = /^[+(0][\d().+/-]{5,}$/;
const DEVICE = /^(?:[0-9a-f]{2}[-:.]){2,}[0-9a-f]{0,2}$/i;
const plain = (word: string): string =>
  PHONE.test(word) || DEVICE.test(word) ? word.replaceAll(/[^\da-f]/gi, '') : word;

/** As the parameter of a statement that has the condition below. What no text can have stays as it is, and finds nothing. */
export const searchValue = (q: string): string => (isStorable(q) ? JSON.stringify(wordsOf(q).map(plain)) : q);

/** The condition that each word is in one of these texts, each of which may be null. `parameter`: such as $5. */
export function hasWords(parameter: string, ...texts: readonly string[]): string {
  return Array.from({ length: MAX_WORDS }, (_, i) => {
    const word = `(select coalesce(folded(${parameter}::json ->> ${i}), ''))`; // folded once; '' is found everywhere
    return `(${texts.map((text) => `strpos(${text}, ${word}) > 0`).join(' or ')})`;
  }).join(' and ');
}

/** The condition that any of the words is in the text. */
export function hasAnyWord(parameter: string, text: string): string {
  return `exists (select from json_array_elements_text(${parameter}::json) word where strpos(${text}, folded(word)) > 0)`;
}
