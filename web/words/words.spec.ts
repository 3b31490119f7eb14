// The words of both languages.
import { expect, it } from '@jest/globals';
import { languageOf } from '../format.js';
import { de } from './de.js';
import { en } from './en.js';

/** Said alike in both: names, signs and words that German took over. */
const ALIKE =
  /^(?:Tank Monitoring|Demo|Tanks?|Sensor|Plan|Name|OK|Uplinks?|ChirpStack|The Things Stack|Webhooks?|Region|Signal|Status|\W*|mm|cm|m|in|ft| Uplinks)$/;

/** Every sentence by its place; those with something to fill in get a number, which a text may be as well. */
function sentences(words: object, path = ''): Record<string, string> {
  return Object.assign(
    {},
    ...Object.entries(words).map(([name, value]: [string, unknown]) => {
      const place = `${path}/${name}`;
      if (typeof value === 'function')
        return { [place]: (value as (...given: number[]) => string)(2, 3, 4, 5) };
      if (typeof value === 'string') return { [place]: value };
      return value instanceof RegExp ? {} : sentences(value as object, place);
    }),
  ) as Record<string, string>;
}

it('are all translated', () => {
  const [english, german] = [sentences(en), sentences(de)];
  const untold = Object.keys(english).filter(
    (place) => german[place] === english[place] && !ALIKE.test(english[place] ?? ''),
  );
  expect(untold).toEqual([]);
});

it.each([
  [['de-AT', 'en'], 'de'],
  [['fr-FR', 'de', 'en'], 'de'],
  [['en-US', 'de'], 'en'],
  [['fr'], 'en'],
  [[], 'en'],
])('of a browser that prefers %j are %s', (tags, language) => {
  expect(languageOf(tags)).toBe(language);
});
