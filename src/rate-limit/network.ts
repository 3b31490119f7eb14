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
  const written = address.replace(
    /(\d+)\.(\d+)\.(\d+)\.(\d+)$/,
    (_, a: string, b: string, c: string, d: string) => {
      const pair = (high: string, low: string): string => (Number(high) * 256 + Number(low)).toString(16);
      return `${pair(a, b)}:${pair(c, d)}`;
    },
  );
  const [head = '', tail] = written.split('::');
  const numbers = (part: string): number[] =>
    part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16));
  if (tail === undefined) return numbers(head);
  const [before, after] = [numbers(head), numbers(tail)];
  return [...before, ...Array<number>(GROUPS - before.length - after.length).fill(0), ...after];
}

function asBytes(group: number): number[] {
  return [group >> 8, group & 0xff];
}
