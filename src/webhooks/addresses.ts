// Where a webhook may go: https, to a public address. The addresses of a name are checked when the connection is made, so a name that
// resolves to something else the next time gets nowhere.
import ipaddr from 'ipaddr.js';
import type { LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { callbackify } from 'node:util';
import type { Resolve } from './names.js';

export interface AddressRules {
  /** For tests and closed networks: any address, and plain http. */
  readonly allowPrivate: boolean;
}

export class ForbiddenAddress extends Error {}

/** Ports of other protocols, whose servers might take a request for commands: the ones that browsers refuse, too. */
const OTHER_PROTOCOLS = new Set([
  1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104,
  109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515,
  526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049,
  3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
]);

/** Checks what the URL alone shows; throws with a sentence for the operator. */
export function checkUrl(text: string, { allowPrivate }: AddressRules): URL {
  if (!URL.canParse(text))
    throw new ForbiddenAddress('This is not a URL; give one such as https://example.com/hook.');
  const url = new URL(text);
  if (url.protocol !== 'https:' && !(allowPrivate && url.protocol === 'http:')) {
    throw new ForbiddenAddress('Webhooks go to https addresses only.');
  }
  if (url.username !== '' || url.password !== '') {
    throw new ForbiddenAddress('A URL must not hold a user name or password: lists would show it.');
  }
  if (OTHER_PROTOCOLS.has(Number(url.port))) {
    throw new ForbiddenAddress(`Port ${url.port} belongs to another protocol.`);
  }
  const host = readHost(url);
  if (!allowPrivate && isIP(host) !== 0 && !isPublic(host)) throw notPublic(host);
  return url;
}

/** Without the brackets of an IPv6 address. The URL has made dotted decimals of 127.1, 0x7f.1 and 2130706433. */
function readHost({ hostname }: URL): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
}

function notPublic(address: string): ForbiddenAddress {
  return new ForbiddenAddress(
    `${address} is not a public address (WEBHOOK_ALLOW_PRIVATE=true would allow it).`,
  );
}

const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

export function isPublic(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address); // ::ffff:10.0.0.1 is 10.0.0.1
  if (parsed instanceof ipaddr.IPv4) return parsed.range() === 'unicast';
  // NAT64 leads to the IPv4 address in its last four bytes.
  if (parsed.range() === 'rfc6052') return isPublic(parsed.toByteArray().slice(12).join('.'));
  return parsed.range() === 'unicast' && parsed.match(GLOBAL_UNICAST);
}

/** For a connection's `lookup`. A literal address needs no look-up: checkUrl() checks it. */
export function guardedLookup(rules: AddressRules, resolve: Resolve): LookupFunction {
  const addressesOf = callbackify(async (host: string) => requireAllowed(host, await resolve(host), rules));
  return (host, options, done) => {
    addressesOf(host, (error, found) => {
      const [first] = error === null ? found : [];
      if (first === undefined) done(error, []);
      else if (options.all === true) done(null, found);
      else done(null, first.address, first.family);
    });
  };
}

/** At least one. */
function requireAllowed(
  host: string,
  found: LookupAddress[],
  { allowPrivate }: AddressRules,
): LookupAddress[] {
  const allowed = allowPrivate ? found : found.filter(({ address }) => isPublic(address));
  if (allowed.length === 0) throw leadsNowhere(host, allowPrivate);
  return allowed;
}

/** Not which address, nor whether there is the name at all: the caller need not be ours, and the name may be of our network. */
function leadsNowhere(host: string, allowPrivate: boolean): ForbiddenAddress {
  return new ForbiddenAddress(
    allowPrivate
      ? `there is no such name as ${host}`
      : `${host} leads to no public address (a private one needs WEBHOOK_ALLOW_PRIVATE=true)`,
  );
}
