// At most 50 labels, for the busiest; everybody else is "other".
import { describe, expect, it } from '@jest/globals';
import { Busiest } from './busiest.js';

const MINUTE = 60_000;

function start() {
  const clock = { ms: 0 };
  const dropped: string[] = [];
  const busiest = new Busiest(
    (name) => dropped.push(name),
    () => clock.ms,
  );
  const count = (name: string, times = 1) => {
    let label = '';
    for (let i = 0; i < times; i += 1) label = busiest.labelFor(name);
    return label;
  };
  return { clock, dropped, count };
}

describe('the busiest', () => {
  it('have labels of their own, up to 50, and the rest is other', () => {
    const { count } = start();
    const labels = Array.from({ length: 60 }, (_, i) => count(`key ${i}`));

    expect(labels.slice(0, 50)).toEqual(Array.from({ length: 50 }, (_, i) => `key ${i}`));
    expect(labels.slice(50)).toEqual(Array.from({ length: 10 }, () => 'other'));
  });

  it('keep their labels for a minute, and then give them to busier ones', () => {
    const { clock, dropped, count } = start();
    for (let i = 0; i < 50; i += 1) count(`key ${i}`, i + 1);
    expect(count('late', 100)).toBe('other');

    clock.ms = MINUTE;
    expect(count('late')).toBe('late');
    expect(dropped).toEqual(['key 0']);
    expect(count('key 0')).toBe('other');
  });

  it('are found among 100,000, of which a bounded number is remembered', () => {
    const { clock, dropped, count } = start();
    const label = (round: number) => {
      for (let i = 0; i < 100_000; i += 1) count(`once ${round} ${i}`);
      return count('busy', 3);
    };
    expect(label(1)).toBe('other');
    clock.ms += MINUTE;
    expect(count('busy', 3)).toBe('other'); // it came after all places to be counted were taken
    clock.ms += MINUTE;
    expect(count('busy')).toBe('busy');
    expect(dropped).toHaveLength(1);
  });
});
