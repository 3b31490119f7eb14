// V8 ignores a flag that it does not know.
import { expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';

it('V8 still knows the flag by which the heap grows slowly', () => {
  const flags = execFileSync(process.execPath, ['--v8-options'], {
    encoding: 'utf8',
    maxBuffer: 16 * 1024 * 1024,
  });

  expect(flags).toContain('--heap-growing-percent');
});
