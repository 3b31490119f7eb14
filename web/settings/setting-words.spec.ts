// Who changed what, in words.
import { expect, it } from '@jest/globals';
import { reasonOf } from '../api/troubles.js';
import { de } from '../words/de.js';
import { fieldInWords, operationInWords, valueInWords } from './setting-words.js';

it.each([
  ['min_fill_alert_percentage', 20, 'Alert level: 20 %'],
  ['capacity', 2_700, 'Capacity: 2,700'],
  ['location.city', 'Lyon', 'City: Lyon'],
  ['use_case', 'commercial', 'Use case: Commercial'],
  ['phone', null, 'Phone: nothing'],
  ['deleted', true, 'Deleted: yes'],
  ['something_new', ['a'], 'something new: ["a"]'],
])('the field %s with %j is "%s"', (name, value, told) => {
  expect(`${fieldInWords(name)}: ${valueInWords(name, value)}`).toBe(told);
});

it.each([
  ['it was disabled over the API', 'hier oder über die API'],
  ['answered 302 (redirects are not followed)', 'Antwort 302 (Weiterleitungen wird nicht gefolgt)'],
  [
    '10.0.0.1 is not a public address (WEBHOOK_ALLOW_PRIVATE=true would allow it).',
    '10.0.0.1 ist keine öffentliche Adresse.',
  ],
  ['certificate has expired', 'sein Zertifikat gilt nicht: „certificate has expired“'],
  ['550 No such user', '„550 No such user“'],
  [null, ''],
])('the reason %j is German for readers of German, and what others said is quoted', (said, told) => {
  expect(reasonOf(said, de.trouble)).toBe(told);
});

it('an operation that is new is told as it is', () => {
  expect([operationInWords('update'), operationInWords('turn_around')]).toEqual(['changed', 'turn around']);
});
