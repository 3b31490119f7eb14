// The files that are written from the table of settings say what the table says.
import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { envExample, withSettingTables } from './settings-docs.js';
import { SETTINGS } from './settings.js';

describe('npm run settings', () => {
  it('has written .env.example', () => {
    expect(readFileSync('.env.example', 'utf8')).toBe(envExample());
  });

  it('has written the tables of docs/configuration.md', () => {
    const page = readFileSync('docs/configuration.md', 'utf8');
    expect(page).toBe(withSettingTables(page));
  });
});

describe('the table of settings', () => {
  it('is short', () => {
    expect(Object.keys(SETTINGS).length).toBeLessThanOrEqual(36);
  });

  it('names the unit of every time and size', () => {
    const ENDINGS = {
      milliseconds: '_MS',
      seconds: '_SECONDS',
      days: '_DAYS',
      months: '_MONTHS',
      bytes: '_BYTES',
    };
    for (const [name, { type }] of Object.entries(SETTINGS)) {
      for (const [unit, ending] of Object.entries(ENDINGS)) {
        expect({ name, isNamed: name.endsWith(ending) }).toEqual({
          name,
          isNamed: type.startsWith(`${unit},`),
        });
      }
    }
  });
});
