// Filters and topics, as MQTT defines them.
import { describe, expect, it } from '@jest/globals';
import { firstWildLevel, matches, widest, wildLevelAfter } from './topics.js';

describe('matches', () => {
  it.each([
    ['a/b', 'a/b'],
    ['a/+', 'a/b'],
    ['a/+', 'a/'],
    ['+/+', '/'],
    ['a/#', 'a'],
    ['a/#', 'a/b/c'],
    ['#', 'a/b'],
    ['$SYS/#', '$SYS/uptime'],
    ['a/+/c', 'a/ü "odd"/c'],
  ])('%s takes %s', (filter, topic) => expect(matches(filter, topic)).toBe(true));

  it.each([
    ['a/b', 'a/c'],
    ['a/b', 'A/b'],
    ['a/+', 'a'],
    ['a/+', 'a/b/c'],
    ['a/#', 'ab'],
    ['#', '$SYS/uptime'],
    ['+/uptime', '$SYS/uptime'],
    ['a', '/a'],
  ])('%s leaves %s', (filter, topic) => expect(matches(filter, topic)).toBe(false));
});

it.each([
  ['tanks/+/state', 'tanks/7/state', '7'],
  ['+/x/+', '/x/y', ''],
  ['tanks/#', 'tanks/7', undefined],
])('the first wildcard of %s in %s is %j', (filter, topic, level) =>
  expect(firstWildLevel(filter, topic)).toBe(level),
);

it.each([
  ['application/+/device/+/event/+', 'application/device/device/7/event/up', '7'],
  ['application/+/device/7/event/+', 'application/1/device/7/event/up', undefined],
  ['+/device/#', '1/device/7', undefined],
])('the device that %s leaves open in %s is %j', (filter, topic, level) =>
  expect(wildLevelAfter('device', filter, topic)).toBe(level),
);

it.each([
  [['a/b', 'a/+', 'a/b'], ['a/+']],
  [
    ['a/+', 'a/#', 'b'],
    ['a/#', 'b'],
  ],
  [
    ['#', '$SYS/#', '+/#', 'a'],
    ['#', '$SYS/#'],
  ],
  [['a/+/#', 'a/#'], ['a/#']],
  [
    ['a/+', '+/b'],
    ['a/+', '+/b'],
  ],
])('of %j, %j are subscribed to', (filters, subscribed) => expect(widest(filters)).toEqual(subscribed));
