import { describe, expect, it } from '@jest/globals';
import { StagedRows, type Cell } from './staged-rows.js';

function textOf(...cells: Cell[]): string {
  const rows = new StagedRows('any', []);
  rows.add(...cells);
  return rows.take();
}

describe('a staged row', () => {
  it('has a cell for each value, and \\N where there is none', () => {
    expect(textOf(12, 'é日本🛢', 0.5, -0, true, false, null, undefined, '')).toBe(
      '12\té日本🛢\t0.5\t0\ttrue\tfalse\t\\N\t\\N\t\n',
    );
    expect(textOf(new Date('0001-01-01T00:00:00.001Z'))).toBe('0001-01-01T00:00:00.001Z\n');
  });

  it('holds any text', () => {
    expect(textOf('tab\tline\r\n\\N\\.', 'next')).toBe('tab\\tline\\r\\n\\\\N\\\\.\tnext\n');
  });

  it('is taken once', () => {
    const rows = new StagedRows('any', []);
    rows.add('one');
    expect([rows.size, rows.take(), rows.size, rows.take()]).toEqual([4, 'one\n', 0, '']);
  });
});
