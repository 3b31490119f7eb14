// Whom an address stands for when requests are counted. With IPv6 a single customer of a provider has a whole /64, and so 2^64
// addresses to come from: they count as one. An IPv4 address written as an IPv6 one counts as what it is.
import ipaddr from 'ipaddr.js';

const GROUPS_OF_NETWORK = 4;

export function networkOf(address: string | undefined): string {
  if (address === undefined) return 'unknown';
  if (!ipaddr.IPv6.isValid(address)) return address;
  const parsed = ipaddr.IPv6.parse(address);
  if (parsed.isIPv4MappedAddress()) return parsed.toIPv4Address().toString();
  const network = parsed.parts.slice(0, GROUPS_OF_NETWORK).map((group) => group.toString(16));
  return `${network.join(':')}::/64`;
}
