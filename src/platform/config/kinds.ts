// Kinds of settings: what a value looks like, and how its text is read. No message repeats a URL or a key: they hold secrets.

/** Takes the reason, which follows the setting's name: `must be …`. Returns the value of what was refused. */
export type Refuse = (reason: string) => undefined;
type Read<T> = (text: string | undefined, refuse: Refuse) => T;

export interface Setting<T> {
  /** For the docs. */
  readonly type: string;
  readonly description: string;
  /** As in the environment; empty when `unset` says it in words. */
  readonly fallback: string;
  /** What an unset one means, where there is no one default. */
  readonly unset: string | undefined;
  readonly read: Read<T>;
}

export class Kind<T> {
  constructor(
    private readonly type: string,
    private readonly read: Read<T>,
    private readonly fallback = '',
  ) {}

  or(value: NonNullable<T> & (number | boolean | string)): Kind<NonNullable<T>> {
    return new Kind(this.type, (text, refuse) => this.read(text, refuse) ?? value, String(value));
  }

  about(description: string, unset?: string): Setting<T> {
    return { type: this.type, description, fallback: this.fallback, unset, read: this.read };
  }
}

export function optional<T>(
  type: string,
  read: (text: string, refuse: Refuse) => T | undefined,
): Kind<T | undefined> {
  return new Kind(type, (text, refuse) => (text === undefined ? undefined : read(text, refuse)));
}

export function wholeNumber(unit: string, min: number, max: number): Kind<number | undefined> {
  return optional(`${unit}, ${min} to ${max}`, (given, refuse) => {
    const value = /^\d{1,15}$/.test(given) ? Number(given) : NaN;
    if (value >= min && value <= max) return value;
    return refuse(`must be a whole number from ${min} to ${max}, not "${given}"`);
  });
}

/** `on` and `off` are from before version 2. */
const FLAGS = new Map(Object.entries({ true: true, on: true, false: false, off: false }));

export const flag = optional(
  'true or false',
  (given, refuse) => FLAGS.get(given) ?? refuse(`must be true or false, not "${given}"`),
);

export const address = optional('address', (given) => given);
export const text = optional('text', (given) => given);

export function oneOf<T extends string>(...allowed: readonly T[]): Kind<T | undefined> {
  const names = allowed.join(', ');
  return optional(
    names,
    (given, refuse) =>
      allowed.find((one) => one === given) ?? refuse(`must be one of ${names}, not "${given}"`),
  );
}

export const postgresUrl = optional('postgres://user:password@host:5432/database', (url, refuse) => {
  const fault = faultOfPostgresUrl(url);
  if (fault !== undefined) refuse(fault);
  return url; // it is set all the same
});

/** A text that must look like something. `words` do not repeat it. */
export function matching(type: string, isGood: (text: string) => boolean, words = `must look like ${type}`) {
  return optional(type, (given, refuse) => (isGood(given) ? given : refuse(words)));
}

/** Counted as readers count. Line breaks are control characters, except for two. */
export const oneLine = matching(
  'one line of at most 200 characters',
  (given) => !/[\p{Cc}\u2028\u2029]/u.test(given) && Array.from(given).length <= 200,
  'must be one line of at most 200 characters',
);

/** For what cannot be parsed, a URL without anything. */
function parseUrl(url: string): URL {
  return URL.canParse(url) ? new URL(url) : new URL('none:');
}

const isOrigin = (url: string): boolean => URL.canParse(url) && new URL(url).origin === url;

const isWeb = ({ protocol }: URL): boolean => /^https?:$/.test(protocol);

/** An IPv6 address without its brackets. */
export const hostIn = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, '$1');

export const isLoopback = (host: string): boolean => /^(127(\.\d{1,3}){3}|localhost|::1)$/.test(host);

export const redisUrl = matching('redis://host:6379', (url) => /^rediss?:$/.test(parseUrl(url).protocol));

/** Of a server of map tiles. */
export const tilesUrl = matching(
  'https://tiles.example.com/{z}/{x}/{y}.png',
  (url) => ['{z}', '{x}', '{y}'].every((place) => url.includes(place)) && isWeb(parseUrl(url)),
);

/** As browsers show it. */
const withoutSlash = (url: string): string => url.replace(/\/$/, '');

export const origin = optional('https://tanks.example.com', (given, refuse) => {
  const url = withoutSlash(given);
  if (isWeb(parseUrl(url)) && isOrigin(url)) return url;
  return refuse('must be an origin such as https://tanks.example.com, without a path');
});

/** Of an identity provider. */
export const issuerUrl = matching(
  'https://login.example.com',
  (given) => {
    const url = parseUrl(given);
    const isSafe = url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(hostIn(url)));
    return isSafe && url.search + url.hash === '';
  },
  'must look like https://login.example.com; http only on a loopback address such as 127.0.0.1',
);

function list(
  type: string,
  check: (items: readonly string[], refuse: Refuse) => void,
  read = (item: string): string => item,
): Kind<string[]> {
  return new Kind(type, (given, refuse) => {
    const items = given?.split(',').map((item) => read(item.trim())) ?? [];
    check(items, refuse);
    return items;
  });
}

/** A bad one is named by its place in the list: it may hold a password. */
export const postgresUrls = list('such URLs, separated by commas', (urls, refuse) => {
  for (const [i, url] of urls.entries()) {
    const fault = faultOfPostgresUrl(url);
    if (fault === undefined) continue;
    refuse(`has URLs separated by commas (in a password a comma is %2C); number ${i + 1} ${fault}`);
  }
});

export const origins = list(
  'origins, separated by commas, or *',
  (items, refuse) => {
    const bad = items.filter((item) => item !== '*' && !isOrigin(item));
    for (const item of bad) refuse(`must list origins such as https://app.example.com, not "${item}"`);
  },
  withoutSlash,
);

export const addresses = list('email addresses, separated by commas', (items, refuse) => {
  const bad = items.filter((item) => !/^[^@\s]+@[^@\s]+$/.test(item));
  for (const item of bad) refuse(`must list email addresses, not "${item}"`);
});

/** The first encrypts; those that were used before still decrypt. */
export const secretKeys = list('32 random bytes in base64', (keys, refuse) => {
  if (!keys.every((key) => /^[A-Za-z0-9+/]{43}=$/.test(key))) {
    refuse(
      'must be 32 random bytes in base64 (openssl rand -base64 32), or two of them with a comma between: the new one, then the old one',
    );
  } else if (keys.some((key) => new Set(Buffer.from(key, 'base64')).size === 1)) {
    refuse('is an example, not random: make one with openssl rand -base64 32');
  }
});

const UNENCODED =
  'must have its user and password percent-encoded where they are not letters and digits: %23 for #, %2F for /, %3F for ?, %40 for @, %25 for %';

/** A URL that may have a user and a password; otherwise what is wrong with it, and how to fix it. */
export function readServerUrl(
  given: string,
  example: string,
): { url: URL; user: string; password: string } | string {
  if (!URL.canParse(given)) return given.includes('@') ? UNENCODED : example;
  const url = new URL(given);
  const [user, password] = [decoded(url.username), decoded(url.password)];
  // What follows an unencoded #, / or ? of a password is taken for another part of the URL, the @ before the host with it.
  const isTornApart = url.hash !== '' || url.pathname.includes('@');
  if (user === undefined || password === undefined || isTornApart) return UNENCODED;
  return { url, user, password };
}

/** A part of a URL; undefined where it is not percent-encoded. */
function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}

const EXAMPLE = 'must look like postgres://user:password@host:5432/database';
const SSL_MODES = ['disable', 'no-verify', 'prefer', 'require', 'verify-ca', 'verify-full'];
const ONE_HOST =
  'must name one host, without target_session_attrs and load_balance_hosts: use an address that follows the primary (see "Failover" in docs/database.md)';

/** Undefined when nothing is wrong with it. libpq chooses between hosts by some parameters; here they would be ignored. */
function faultOfPostgresUrl(given: string): string | undefined {
  if (!/^postgres(ql)?:/.test(given)) return EXAMPLE;
  if (namesSeveralHosts(given)) return ONE_HOST;
  const read = readServerUrl(given, EXAMPLE);
  if (typeof read === 'string') return read;
  const parameters = read.url.searchParams;
  if (['target_session_attrs', 'load_balance_hosts'].some((name) => parameters.has(name))) return ONE_HOST;
  if (parameters.get('host')?.includes(',')) return ONE_HOST;
  // An unknown mode would silently mean no TLS at all.
  const isKnown = SSL_MODES.includes(parameters.get('sslmode') ?? 'prefer');
  return isKnown ? undefined : `must have one of these as its sslmode: ${SSL_MODES.join(', ')}`;
}

/** What follows the user, up to the database. Several ports make a URL that cannot even be parsed. */
function namesSeveralHosts(url: string): boolean {
  const [start = '', authority = ''] = /^[a-z]+:\/\/([^/?#]*)/.exec(url) ?? [];
  const rest = url.slice(start.length);
  if (rest.startsWith('#') || rest.includes('@')) return false;
  return authority.slice(authority.lastIndexOf('@') + 1).includes(',');
}
