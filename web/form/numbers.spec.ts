// A number means what the visitor's country means by it; what may be two numbers is asked, never guessed.
import { describe, expect, it, jest } from '@jest/globals';

/** The language is read when the page is loaded. */
async function numbersIn(language: string): Promise<typeof import('./numbers.js')> {
  jest.resetModules();
  Object.defineProperty(navigator, 'language', { value: language, configurable: true });
  return import('./numbers.js');
}

describe('a number', () => {
  it.each([
    ['en-GB', '2700', [2_700]],
    ['en-GB', '2,700', [2_700]],
    ['en-GB', '2.700', [2.7, 2_700]],
    ['en-GB', '2,700.5', [2_700.5]],
    ['en-GB', '2.700,5', [2_700.5]],
    ['en-GB', '1,234,567', [1_234_567]],
    ['de-DE', '2.700', [2_700]],
    ['de-DE', '2,700', [2.7, 2_700]],
    ['de-DE', '2,7', [2.7]],
    ['de-CH', '2’700.5', [2_700.5]],
    ['fr-FR', '2 700,5', [2_700.5]],
    ['en-GB', '-12,5', [-12.5]],
    ['en-GB', '.5', [0.5]],
  ])('in %s: "%s" means %j', async (language, text, meanings) => {
    expect((await numbersIn(language)).meaningsOf(text)).toEqual(meanings);
  });

  it.each(['', 'a lot', '1,2,3', '1.2.3,4.5', '12a', '1e', '--1', '2..5'])('is not "%s"', async (text) => {
    expect((await numbersIn('en-GB')).meaningsOf(text)).toEqual([]);
  });

  it('that cannot have groups, such as a latitude, is never ambiguous', async () => {
    expect((await numbersIn('de-DE')).meaningsOf('51.906', false)).toEqual([51.906]);
  });

  it('that may be two is asked, with both as answers', async () => {
    const { doubtAbout } = await numbersIn('de-DE');
    expect(doubtAbout('2,700')).toEqual({
      detail: '2,7 or 2.700?',
      answers: { '2,7': '2,7', '2.700': '2700' },
    });
    expect(doubtAbout('2.700')).toBeUndefined();
  });

  it('is written so that it is read as the same', async () => {
    for (const language of ['en-GB', 'de-DE', 'fr-FR', 'ar-EG', 'sv-SE']) {
      const { meaningsOf, numberAsText } = await numbersIn(language);
      for (const n of [0, -0.5, 2_700.25, 1_234_567, 0.000_001]) {
        expect(meaningsOf(numberAsText(n), false)).toEqual([n]);
      }
    }
  });
});
