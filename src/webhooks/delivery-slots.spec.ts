// Who gets how many of the slots, as receivers answer, fail and hang.
import { describe, expect, it } from '@jest/globals';
import { SLOTS, DeliverySlots } from './delivery-slots.js';

const roomOf = (slots: DeliverySlots, id: string): number => slots.rooms([id])[0]?.slots ?? 0;

/** Endpoints with as many lines due as their room, which get what they get; returns who has how many of it. */
function divide(slots: DeliverySlots, ids: readonly string[]): Record<string, number> {
  const due = slots.rooms(ids).map(({ endpointId, slots: lines }) => ({
    endpointId,
    lines,
    since: new Date(ids.indexOf(endpointId)),
  }));
  const given = slots.divide(due);
  for (const { endpointId, slots: n } of given) repeat(n, () => slots.begin(endpointId));
  return Object.fromEntries(given.map(({ endpointId, slots: n }) => [endpointId, n]));
}

const anEndpoint = (id: string, isFailing = false, customerId: string | null = null) => ({
  id,
  customerId,
  isFailing,
});

function repeat(times: number, work: () => void): void {
  for (let i = 0; i < times; i += 1) work();
}

/** Endpoints that have shown that they answer, with the largest share. */
function proven(slots: DeliverySlots, ids: readonly string[], others: readonly string[] = []): void {
  slots.update([...ids, ...others].map((id) => anEndpoint(id)));
  for (const id of ids) {
    repeat(5, () => {
      slots.begin(id);
      slots.end(id, true);
    });
  }
}

describe('the share of an endpoint', () => {
  it('grows with what it takes, up to a quarter of all slots, and shrinks to one as it fails', () => {
    const slots = new DeliverySlots();
    slots.update([anEndpoint('one')]);
    expect(roomOf(slots, 'one')).toBe(4);
    const deliver = (delivered: boolean): void => {
      slots.begin('one');
      slots.end('one', delivered);
    };
    deliver(true);
    expect(roomOf(slots, 'one')).toBe(8);
    repeat(9, () => deliver(true));
    expect(roomOf(slots, 'one')).toBe(32);
    deliver(false);
    expect(roomOf(slots, 'one')).toBe(16);
    repeat(9, () => deliver(false));
    expect(roomOf(slots, 'one')).toBe(1);
  });

  it('is one from the start for an endpoint that is known to fail', () => {
    const slots = new DeliverySlots();
    slots.update([anEndpoint('failing', true)]);
    expect(roomOf(slots, 'failing')).toBe(1);
  });

  it('is not filled with the last slots, which are for those with few under way', () => {
    const slots = new DeliverySlots();
    const ids = ['a', 'b', 'c', 'd'];
    proven(slots, ids, ['quiet']);
    expect(divide(slots, ids)).toEqual({ a: 24, b: 24, c: 24, d: 24 });
    expect(divide(slots, [...ids, 'quiet'])).toEqual({ quiet: 4 });
  });

  it('is filled with the slots of those that have fewer first, of equals with what waits longer', () => {
    const slots = new DeliverySlots();
    proven(slots, ['busy', 'idle', 'waits-longest']);
    repeat(20, () => slots.begin('busy'));
    repeat(73, () => slots.begin('idle')); // 3 slots are for all, and 32 for those with few
    const due = [
      { endpointId: 'busy', lines: 12, since: new Date(1) },
      { endpointId: 'waits-longest', lines: 5, since: new Date(2) },
    ];
    expect(slots.divide(due)).toEqual([{ endpointId: 'waits-longest', slots: 4 }]);
  });

  it('of all that have not shown that they answer is half of the slots', () => {
    const slots = new DeliverySlots();
    const ids = Array.from({ length: 300 }, (_, i) => `hanging-${i}`);
    slots.update(ids.map((id) => anEndpoint(id, true)));
    expect(Object.keys(divide(slots, ids))).toHaveLength(SLOTS / 2);
    expect(divide(slots, ids)).toEqual({});
  });

  it('of those that answer comes before that of new ones, and theirs before that of failing ones', () => {
    const slots = new DeliverySlots();
    const [ids, news] = [
      ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'],
      Array.from({ length: 20 }, (_, i) => `new-${i}`),
    ];
    proven(slots, ids, news);
    slots.update([...ids, ...news, 'failing'].map((id) => anEndpoint(id, id === 'failing')));
    const given = divide(slots, ['failing', ...news, ...ids]);
    expect(ids.reduce((sum, id) => sum + (given[id] ?? 0), 0)).toBe(96);
    expect(news.reduce((sum, id) => sum + (given[id] ?? 0), 0)).toBe(16);
    expect(given['failing']).toBeUndefined();
  });

  it('is of the customer first: however many endpoints one has, another is next and finds a place', () => {
    const slots = new DeliverySlots();
    const many = Array.from({ length: 100 }, (_, i) => `of-many-${i}`);
    slots.update([...many.map((id) => anEndpoint(id, false, 'many')), anEndpoint('of-one', false, 'one')]);
    for (const id of many) {
      slots.begin(id);
      slots.end(id, true);
    }
    expect(Object.values(divide(slots, many))).toHaveLength(100);
    expect(divide(slots, [...many, 'of-one'])).toMatchObject({ 'of-one': 4 });
    slots.end('of-one', true);
    expect(Object.keys(divide(slots, [...many, 'of-one']))).toEqual(['of-one']);
  });

  it('grows evenly by customer, not by endpoint', () => {
    const slots = new DeliverySlots();
    const ids = ['of-one', ...Array.from({ length: 100 }, (_, i) => `of-many-${i}`)];
    slots.update(ids.map((id) => anEndpoint(id, false, id.slice(0, 6))));
    for (const id of ids) {
      repeat(5, () => {
        slots.begin(id);
        slots.end(id, true);
      });
    }
    expect(divide(slots, ids)).toMatchObject({ 'of-one': 32 });
  });
});
