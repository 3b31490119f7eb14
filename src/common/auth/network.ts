// The network that requests are counted by. With IPv6 one customer of a provider has a whole /64: its addresses count as one. An
// IPv4 address written as an IPv6 one counts as IPv4.
import ipaddr from 'ipaddr.js';

export function findNetwork(address: string | undefined): string {
  if (address === undefined) return 'unknown';
  if (!ipaddr.IPv6.isValid(address)) return address;
  const parsed = ipaddr.IPv6.parse(address);
  if (parsed.isIPv4MappedAddress()) return parsed.toIPv4Address().toString();
  const network = parsed.parts.slice(0, 4).map((group) => group.toString(16));
  return `${network.join(':')}::/64`;
}
