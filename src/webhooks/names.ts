// Looks up the addresses of a receiver's name. Not by dns.lookup(): it holds one of the few threads that all look-ups of the process share
// until the name server answers, and cannot be given up. These ask the name servers over sockets of their own, for a bounded time.
import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';

const TIMEOUT_MS = 5_000;
const HOSTS_FILE = '/etc/hosts';

/** There is no such name, or it has no address. */
const NOTHING_THERE = new Set(['ENOTFOUND', 'ENODATA']);

export type Resolve = (name: string) => Promise<LookupAddress[]>;

/** Of the hosts file, else of these name servers (`address:port`), by default those of /etc/resolv.conf. None if there is no such name. */
export function createResolver(nameServers: readonly string[] = [], timeoutMs = TIMEOUT_MS): Resolve {
  return async (name) => {
    const known = addressesInHosts(name, readHosts());
    return known.length > 0 ? known : await askNameServers(name, nameServers, timeoutMs);
  };
}

async function askNameServers(
  name: string,
  nameServers: readonly string[],
  timeoutMs: number,
): Promise<LookupAddress[]> {
  const resolver = new Resolver({ timeout: timeoutMs / 4, tries: 2 });
  if (nameServers.length > 0) resolver.setServers(nameServers);
  const deadline = setTimeout(() => resolver.cancel(), timeoutMs);
  try {
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    const failed = answers.find(
      (answer) => answer.status === 'rejected' && !NOTHING_THERE.has(answer.reason.code),
    );
    if (found.length === 0 && failed !== undefined) throw new Error('the name could not be looked up');
    return found.map(toAddress);
  } finally {
    clearTimeout(deadline);
  }
}

/** At once, since reading it in the background takes a thread, too. A system without one has no names in it. */
function readHosts(): string {
  try {
    return readFileSync(HOSTS_FILE, 'utf8');
  } catch {
    return '';
  }
}

/** `localhost` and what ends in it are this machine, whatever the file says. */
export function addressesInHosts(name: string, file: string): LookupAddress[] {
  const asked = name.toLowerCase().replace(/\.$/, '');
  if (asked === 'localhost' || asked.endsWith('.localhost')) return ['127.0.0.1', '::1'].map(toAddress);
  return file.split('\n').flatMap((line) => {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().toLowerCase().split(/\s+/);
    return isIP(address) !== 0 && names.includes(asked) ? toAddress(address) : [];
  });
}

function toAddress(address: string): LookupAddress {
  return { address, family: isIP(address) };
}
