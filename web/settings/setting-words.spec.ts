// Who changed what, in words.
import { expect, it } from '@jest/globals';
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

it('an operation that is new is told as it is', () => {
  expect([operationInWords('update'), operationInWords('turn_around')]).toEqual(['changed', 'turn around']);
});
