// Numbers as the visitor writes them: "2.700" is 2,700 in German, "2,700" is so in English. What may be either is asked.
import { LOCALE } from '../format.js';
import type { Fault } from './field.js';
import { words } from '../words/words.js';

const format = new Intl.NumberFormat(LOCALE, {
  useGrouping: false,
  maximumFractionDigits: 10,
  numberingSystem: 'latn',
});
const GROUP = new Intl.NumberFormat(LOCALE)
  .formatToParts(123_456)
  .find(({ type }) => type === 'group')?.value;

export const numberAsText = (n: number): string => format.format(n);

const plain = (whole: string, rest = '') => Number(`${whole.replaceAll(/[.,]/g, '')}.${rest}`);
const isGrouped = (digits: string) => /^[+-]?[1-9]\d{0,2}(?:[.,]\d{3})*$/.test(digits);

/** All that a text may mean: nothing when it is no number, two when it is ambiguous. */
export function meaningsOf(text: string, mayHaveGroups = true): readonly number[] {
  // Some languages write their own minus, or marks of direction around it.
  const given = text.replaceAll(/[\s'’\u200E\u200F\u061C]/g, '').replace('\u2212', '-');
  const marks = given.replaceAll(/[^.,]/g, '');
  const last = marks.at(-1);
  if (given === '') return [];
  if (last === undefined) return Number.isFinite(Number(given)) ? [Number(given)] : [];
  const place = given.lastIndexOf(last);
  const [whole, rest] = [given.slice(0, place), given.slice(place + 1)];
  if (!/^\d*$/.test(rest) || !/^[+-]?[\d.,]*$/.test(whole)) return [];
  const isAllGroups = mayHaveGroups && isGrouped(given) && marks === last.repeat(marks.length);
  if (isAllGroups) {
    const asGroups = plain(given);
    return marks.length > 1 || last === GROUP ? [asGroups] : [plain(whole, rest), asGroups];
  }
  const isDecimal = marks.length === 1 || (isGrouped(whole) && marks.indexOf(last) === marks.length - 1);
  return isDecimal ? [plain(whole, rest)] : [];
}

/** What is wrong with an amount that may be left out: it is no number, or may be two of them, unless that was answered. */
export function wrongNumber(text: string, settled: string | undefined): Fault | undefined {
  const isNumber = text.trim() === '' || (meaningsOf(text)[0] ?? -1) >= 0;
  if (!isNumber) return { detail: words.form.noNumber };
  return text === settled ? undefined : doubtAbout(text);
}

/** "2.7 or 2,700?", when a text may be both. */
export function doubtAbout(text: string): Fault | undefined {
  const [meant, other] = meaningsOf(text);
  if (meant === undefined || other === undefined) return undefined;
  const [less, more] = [meant, other].map((n) => n.toLocaleString(LOCALE)) as [string, string];
  return {
    detail: words.form.either(less, more),
    answers: { [less]: numberAsText(meant), [more]: numberAsText(other) },
  };
}
