import { describe, expect, it } from '@jest/globals';
import { CopyRows } from './copy-rows.js';

const SIGNATURE = 'PGCOPY\n\xff\r\n\0';

/** Reads the rows of a COPY as PostgreSQL does. */
function read(data: Buffer): (Buffer | null)[][] {
  expect(data.toString('latin1', 0, 11)).toBe(SIGNATURE);
  expect(data.readInt32BE(11)).toBe(0); // no flags
  let at = 19 + data.readInt32BE(15);
  const rows: (Buffer | null)[][] = [];
  for (;;) {
    const fields = data.readInt16BE(at);
    at += 2;
    if (fields === -1) break;
    rows.push(
      Array.from({ length: fields }, () => {
        const length = data.readInt32BE(at);
        at += 4;
        if (length === -1) return null;
        at += length;
        return data.subarray(at - length, at);
      }),
    );
  }
  expect(at).toBe(data.length);
  return rows;
}

/** The bytes of one value. */
function written(write: (rows: CopyRows) => void): Buffer {
  const rows = new CopyRows();
  rows.startRow(1);
  write(rows);
  return read(rows.take())[0]?.[0] ?? Buffer.alloc(0);
}

describe('a value', () => {
  it('is null, a boolean or an integer', () => {
    const rows = new CopyRows();
    rows.startRow(4);
    rows.null();
    rows.boolean(true);
    rows.boolean(false);
    rows.integer(-2);

    expect(read(rows.take())).toEqual([
      [null, Buffer.from([1]), Buffer.from([0]), Buffer.from([255, 255, 255, 254])],
    ]);
  });

  it.each(['', 'plain', 'tab\tline\r\n\\N\\.', 'é日本🛢'])('is a text of any characters: %j', (text) => {
    expect(written((rows) => rows.text(text)).toString()).toBe(text);
  });

  it.each([0, 1, -1, 2 ** 32, -(2 ** 32) - 1, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER])(
    'is a bigint, exactly: %d',
    (value) => {
      expect(written((rows) => rows.bigint(value)).readBigInt64BE()).toBe(BigInt(value));
    },
  );

  it.each([
    '0001-01-01T00:00:00.001Z',
    '1969-12-31T23:59:59.999Z',
    '2026-01-31T08:15:30.123Z',
    '9999-12-31T23:59:59.999Z',
  ])('is an instant, exactly: %s', (text) => {
    const micros = written((rows) => rows.instant(Date.parse(text))).readBigInt64BE();

    expect(micros).toBe((BigInt(Date.parse(text)) - BigInt(Date.UTC(2000))) * 1000n);
  });

  it('is a double, of which -0 is stored as 0', () => {
    expect(written((rows) => rows.double(100 / 3)).readDoubleBE()).toBe(100 / 3);
    expect(written((rows) => rows.double(-0))).toEqual(Buffer.alloc(8));
  });
});

describe('rows', () => {
  it('may be more than were expected', () => {
    const rows = new CopyRows();
    const texts = Array.from({ length: 40 }, (_, i) => String.fromCharCode(65 + (i % 26)).repeat(100_000));
    for (const text of texts) {
      rows.startRow(1);
      rows.text(text);
    }

    expect(rows.size).toBeGreaterThan(4_000_000);
    expect(read(rows.take()).map(([value]) => value?.toString())).toEqual(texts);
    expect(rows.size).toBe(0);
  });

  it('stay untouched while the next ones are written', () => {
    const rows = new CopyRows();
    const take = (value: string): Buffer => {
      rows.startRow(1);
      rows.text(value);
      return rows.take();
    };
    const first = take('first');
    const second = take('second');

    expect([...read(first), ...read(second)].flat().map(String)).toEqual(['first', 'second']);
  });
});
