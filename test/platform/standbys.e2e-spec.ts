// Which standbys are read from: ways to one server, which lag behind nothing. What it takes real ones to show is in test/scale.
import { expect, it } from '@jest/globals';
import { StrangeProxy } from '../faults/support/strange-proxy.js';
import { until } from '../faults/support/until.js';
import { openDatabase } from '../support/operator.js';
import { watchStandbys } from '../support/standbys.js';

const { url } = await openDatabase();
const NOBODY = 'postgres://127.0.0.1:1/tanks';

it('standbys take turns, and one that does not answer is left out until it does', async () => {
  const proxy = await StrangeProxy.start(url);
  const { standbys } = await watchStandbys(url, [url, NOBODY, proxy.url]);
  const inTurn = () => new Set([1, 2, 3, 4].map(() => standbys.next()?.number));
  expect(inTurn()).toEqual(new Set([1, 3]));
  expect(standbys.report().map(({ in_use }) => in_use)).toEqual([true, false, true]);

  proxy.behave((socket) => socket.destroy());
  await until('it is left out', () => !inTurn().has(3));

  proxy.behave(undefined);
  await until('it is back', () => inTurn().has(3));
});
