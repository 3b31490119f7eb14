// How much memory the service takes is told to V8 in two places: by the program, and before it where only that has an effect.
import { expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** V8 logs one that it does not know, and ignores it. */
it('V8 still knows the flag by which the heap is tuned', () => {
  const flags = execFileSync(process.execPath, ['--v8-options'], {
    encoding: 'utf8',
    maxBuffer: 16 * 1024 * 1024,
  });

  expect(flags).toContain('--heap-growing-percent');
});

const flagsOf = (words: readonly string[]): string[] => words.filter((word) => word.startsWith('--'));

it('the image gives Node the flags that npm start does', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: { start: string } };
  const [, command] = /^CMD (\[.*\])$/m.exec(readFileSync('Dockerfile', 'utf8')) ?? [];

  expect(flagsOf(JSON.parse(command ?? ''))).toEqual(flagsOf(scripts.start.split(' ')));
});
