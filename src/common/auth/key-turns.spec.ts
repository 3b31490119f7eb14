import { describe, expect, it } from '@jest/globals';
import { PassThrough, type Writable } from 'node:stream';
import { KeyTurns } from './key-turns.js';

const settle = () => new Promise((resolve) => setImmediate(resolve));

/** Work that ends when the test says so, and the order in which it began. */
function stage(bounds: { total: number; perKey: number; timeoutMs?: number }) {
  const turns = new KeyTurns({ timeoutMs: 60_000, ...bounds });
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const start = (name: string, response: Writable = new PassThrough()): Promise<void> =>
    turns.run(name.slice(0, 1), response, () => {
      begun.push(name);
      return new Promise((resolve) => ends.set(name, resolve));
    });
  const end = async (name: string): Promise<void> => {
    ends.get(name)?.();
    await settle();
  };
  return { start, end, begun };
}

describe('places that requests wait for', () => {
  it('go to the key that has the fewest, and a key alone has all', async () => {
    const { start, end, begun } = stage({ total: 3, perKey: 3 });
    for (const name of ['a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'b1', 'b2', 'c1']) void start(name);
    await settle();
    expect(begun.splice(0)).toEqual(['a1', 'a2', 'a3']);

    for (const name of ['a1', 'a2', 'a3', 'b1', 'c1', 'b2']) await end(name);
    expect(begun).toEqual(['b1', 'c1', 'a4', 'b2', 'a5', 'a6']);
  });

  it('are so many for a key at most, and others do not wait for it', async () => {
    const { start, end, begun } = stage({ total: 4, perKey: 2 });
    for (const name of ['a1', 'a2', 'a3', 'a4', 'b1']) void start(name);
    await settle();
    expect(begun.splice(0)).toEqual(['a1', 'a2', 'b1']);

    await end('b1');
    expect(begun).toEqual([]);
    await end('a2');
    expect(begun).toEqual(['a3']);
    await end('a1'); // nobody is left waiting: their time would be over in the middle of another test
    expect(begun).toEqual(['a3', 'a4']);
  });

  it('are not kept for who has gone, or has waited for too long', async () => {
    const { start, end, begun } = stage({ total: 1, perKey: 1, timeoutMs: 20 });
    void start('a1');
    const response = new PassThrough();
    const gone = start('a2', response);
    const late = start('b1');
    response.destroy();
    await expect(gone).rejects.toMatchObject({ status: 400 });
    await expect(late).rejects.toMatchObject({ status: 503, code: 'overloaded' });
    void start('c1');
    await end('a1');
    expect(begun).toEqual(['a1', 'c1']);
  });

  it('are given back by work that fails', async () => {
    const turns = new KeyTurns({ total: 1, perKey: 1, timeoutMs: 60_000 });
    const failing = turns.run('a', undefined, () => Promise.reject(new Error('no')));
    await expect(failing).rejects.toThrow('no');
    expect(await turns.run('b', undefined, () => Promise.resolve('done'))).toBe('done');
  });
});
