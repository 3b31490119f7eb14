// What a receiver's name leads to: the hosts file first, then the name servers, which may take their time and get nowhere with it.
import { afterAll, describe, expect, it } from '@jest/globals';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { addressesInHosts, createResolver } from './names.js';

const A = 1;
const AAAA = 28;
const NO_SUCH_NAME = 3;
const sockets: Socket[] = [];
afterAll(() => sockets.forEach((socket) => socket.close()));

/** A name server for one question at a time: `answers` has an address by its type of record, or what is wrong, or nothing. */
async function nameServer(answers: Readonly<Record<number, Buffer | number>>): Promise<string> {
  const socket = createSocket('udp4');
  sockets.push(socket);
  socket.on('message', (query, { port }) => {
    const end = query.indexOf(0, 12) + 5; // behind the name, the type and the class
    const type = query.readUInt16BE(end - 4);
    const answer = answers[type];
    if (answer === undefined) return;
    const header = Buffer.from(query.subarray(0, 12));
    header.writeUInt16BE(typeof answer === 'number' ? 0x8180 | answer : 0x8180, 2);
    header.fill(0, 6);
    if (typeof answer !== 'number') header.writeUInt16BE(1, 6);
    const record = typeof answer === 'number' ? Buffer.alloc(0) : recordOf(type, answer);
    socket.send(Buffer.concat([header, query.subarray(12, end), record]), port);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return `127.0.0.1:${socket.address().port}`;
}

/** For the name in the question, for a minute. */
function recordOf(type: number, address: Buffer): Buffer {
  const head = Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, address.length]);
  return Buffer.concat([head, address]);
}

const IPV4 = Buffer.from([1, 2, 3, 4]);
const IPV6 = Buffer.from('20010db8000000000000000000000001', 'hex');

describe('the addresses of a name', () => {
  it.each([
    ['both kinds', { [A]: IPV4, [AAAA]: IPV6 }, ['1.2.3.4', '2001:db8::1']],
    ['one kind', { [A]: IPV4, [AAAA]: 0 }, ['1.2.3.4']],
    ['one kind, where the server fails for the other', { [A]: IPV4, [AAAA]: 2 }, ['1.2.3.4']],
    ['none', { [A]: NO_SUCH_NAME, [AAAA]: NO_SUCH_NAME }, []],
  ])('are those that the name server knows: %s', async (_, answers, expected) => {
    const found = await createResolver([await nameServer(answers)], 60_000)('hook.example');
    expect(found.map(({ address }) => address)).toEqual(expected);
  });

  it('are not waited for longer than a moment', async () => {
    const resolve = createResolver([await nameServer({})]);
    await expect(resolve('hook.example')).rejects.toThrow('the name could not be looked up');
  });

  it('in the hosts file come first', () => {
    const file = '# 9.9.9.9 Hook\n10.0.0.1\tother  hook # ours\r\n::2 HOOK\nnonsense hook\n';
    expect(addressesInHosts('Hook.', file)).toEqual([
      { address: '10.0.0.1', family: 4 },
      { address: '::2', family: 6 },
    ]);
    expect(addressesInHosts('9.9.9.9', file)).toEqual([]);
    expect(addressesInHosts('hook.localhost', file)[0]).toEqual({ address: '127.0.0.1', family: 4 });
  });
});
