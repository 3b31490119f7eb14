// What is saved opens safely in a spreadsheet.
import { expect, it } from '@jest/globals';
import { csvOf } from './save.js';

it('writes no formula, in whatever line of a name, and quotes as RFC 4180 does', () => {
  const first = ['=1+1', '+49 30', '-', '@sum', '\tx'];
  const second = ['a,b', 'say "hi"', 'one\n=2', null, -5];
  const expected = [`'=1+1,'+49 30,'-,'@sum,'\tx\r\n`, `"a,b","say ""hi""","one\n'=2",,-5\r\n`];
  expect(csvOf([first, second])).toBe(expected.join(''));
});
