// Whom an address stands for when requests are counted. With IPv6 a single customer of a provider has a whole /64, and so 2^64
// addresses to come from: they count as one. An IPv4 address written as an IPv6 one counts as what it is.
import { isIPv6 } from 'node:net';

const GROUPS = 8;
const GROUPS_OF_NETWORK = 4;

export function networkOf(address: string | undefined): string {
  if (address === undefined) return 'unknown';
  const [plain = ''] = address.split('%', 1); // without the interface it came through
  if (!isIPv6(plain)) return plain;
  const groups = groupsOf(plain);
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  if (isMapped) return groups.slice(6).flatMap(asBytes).join('.');
  const network = groups.slice(0, GROUPS_OF_NETWORK).map((group) => group.toString(16));
  return `${network.join(':')}::/64`;
}

/** The eight numbers of an address, `::` written out and an IPv4 ending as the two it stands for. */
function groupsOf(address: string): number[] {
  const [head = '', tail] = withoutDots(address).split('::');
  if (tail === undefined) return numbersOf(head);
  const [before, after] = [numbersOf(head), numbersOf(tail)];
  return [...before, ...Array<number>(GROUPS - before.length - after.length).fill(0), ...after];
}

function withoutDots(address: string): string {
  const start = address.lastIndexOf(':') + 1;
  const bytes = address.slice(start).split('.').map(Number);
  if (bytes.length !== 4) return address;
  const [a = 0, b = 0, c = 0, d = 0] = bytes;
  return `${address.slice(0, start)}${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
}

function numbersOf(part: string): number[] {
  return part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16));
}

function asBytes(group: number): number[] {
  return [group >> 8, group & 0xff];
}
