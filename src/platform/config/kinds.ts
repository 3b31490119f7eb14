// Kinds of settings: what a value looks like, and how its text is read. No message repeats a URL or a key: they hold secrets.

/** Takes the reason, which follows the setting's name: `must be …`. */
export type Refuse = (reason: string) => void;

export interface Kind<T> {
  /** For the docs. */
  readonly type: string;
  /** As in the environment; empty when `unset` says it in words. */
  readonly fallback: string;
  read(text: string | undefined, refuse: Refuse): T;
}

type Optional<T> = Kind<T | undefined>;

export function optional<T>(
  type: string,
  read: (text: string, refuse: Refuse) => T | undefined,
): Optional<T> {
  return {
    type,
    fallback: '',
    read: (text, refuse) => (text === undefined ? undefined : read(text, refuse)),
  };
}

export function withDefault<T>(fallback: T & (number | boolean | string), kind: Optional<T>): Kind<T> {
  return {
    ...kind,
    fallback: String(fallback),
    read: (text, refuse) => kind.read(text, refuse) ?? fallback,
  };
}

export function wholeNumber(unit: string, min: number, max: number): Optional<number> {
  return optional(`${unit}, ${min} to ${max}`, (text, refuse) => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : NaN;
    if (value >= min && value <= max) return value;
    refuse(`must be a whole number from ${min} to ${max}, not "${text}"`);
    return undefined;
  });
}

/** `on` and `off` are from before version 2. */
const FLAGS = new Map(Object.entries({ true: true, on: true, false: false, off: false }));

export const flag: Optional<boolean> = optional('true or false', (text, refuse) => {
  const value = FLAGS.get(text);
  if (value === undefined) refuse(`must be true or false, not "${text}"`);
  return value;
});

export const text: Optional<string> = optional('address', (value) => value);

export function oneOf<T extends string>(...allowed: readonly T[]): Optional<T> {
  return optional(allowed.join(', '), (value, refuse) => {
    const found = allowed.find((one) => one === value);
    if (found === undefined) refuse(`must be one of ${allowed.join(', ')}, not "${value}"`);
    return found;
  });
}

export const postgresUrl: Optional<string> = optional(
  'postgres://user:password@host:5432/database',
  (url, refuse) => {
    const fault = faultOfPostgresUrl(url);
    if (fault !== undefined) refuse(fault);
    return url;
  },
);

export const redisUrl: Optional<string> = optional('redis://host:6379', (url, refuse) => {
  if (!URL.canParse(url) || !/^rediss?:$/.test(new URL(url).protocol))
    refuse('must look like redis://host:6379');
  return url;
});

/** Of a server of map tiles. */
export const tilesUrl: Optional<string> = optional(
  'https://tiles.example.com/{z}/{x}/{y}.png',
  (url, refuse) => {
    const hasPlaces = ['{z}', '{x}', '{y}'].every((place) => url.includes(place));
    if (!hasPlaces || !URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
      refuse('must look like https://tiles.example.com/{z}/{x}/{y}.png');
    return url;
  },
);

function list(type: string, check: (items: readonly string[], refuse: Refuse) => void): Kind<string[]> {
  return {
    type,
    fallback: '',
    read: (value, refuse) => {
      const items = value?.split(',').map((item) => item.trim()) ?? [];
      check(items, refuse);
      return items;
    },
  };
}

/** A bad one is named by its place in the list: it may hold a password. */
export const postgresUrls = list('such URLs, separated by commas', (urls, refuse) => {
  for (const [i, url] of urls.entries()) {
    const fault = faultOfPostgresUrl(url);
    if (fault === undefined) continue;
    refuse(`has URLs separated by commas (in a password a comma is %2C); number ${i + 1} ${fault}`);
  }
});

export const origins = list('origins, separated by commas, or *', (items, refuse) => {
  for (const origin of items) {
    if (origin === '*' || (URL.canParse(origin) && new URL(origin).origin === origin)) continue;
    refuse(`must list origins such as https://app.example.com, not "${origin}"`);
  }
});

export const origin: Optional<string> = optional('https://tanks.example.com', (url, refuse) => {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol) || new URL(url).origin !== url)
    refuse('must be an origin such as https://tanks.example.com, without a path');
  return url;
});

/** Of an identity provider. */
export const issuerUrl: Optional<string> = optional('https://login.example.com', (url, refuse) => {
  const { protocol, hostname, search, hash } = URL.canParse(url) ? new URL(url) : new URL('none:');
  const isHere = /^(127(\.\d{1,3}){3}|localhost|\[::1\])$/.test(hostname);
  if ((protocol !== 'https:' && !(protocol === 'http:' && isHere)) || search + hash !== '')
    refuse('must look like https://login.example.com; http only on a loopback address such as 127.0.0.1');
  return url;
});

export const addresses = list('email addresses, separated by commas', (items, refuse) => {
  for (const item of items)
    if (!/^[^@\s]+@[^@\s]+$/.test(item)) refuse(`must list email addresses, not "${item}"`);
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

const SSL_MODES = ['disable', 'no-verify', 'prefer', 'require', 'verify-ca', 'verify-full'];
const EXAMPLE = 'must look like postgres://user:password@host:5432/database';
const UNENCODED =
  'must have its password percent-encoded where it is not letters and digits: %23 for #, %2F for /, %3F for ?, %40 for @, %25 for %';

const ONE_HOST =
  'must name one host, without target_session_attrs and load_balance_hosts: use an address that follows the primary (see "Failover" in docs/database.md)';
/** libpq chooses between hosts by these; here they would be ignored. */
const CHOICES_OF_HOSTS = ['target_session_attrs', 'load_balance_hosts'];

/** What is wrong with it, and how to fix it; undefined when nothing is. */
export function faultOfPostgresUrl(given: string): string | undefined {
  if (!/^postgres(ql)?:/.test(given)) return EXAMPLE;
  if (namesSeveralHosts(given)) return ONE_HOST;
  if (!URL.canParse(given)) return given.includes('@') ? UNENCODED : EXAMPLE;
  const url = new URL(given);
  // What follows an unencoded #, / or ? of a password is taken for another part of the URL, the @ before the host with it.
  const isTornApart = url.hash !== '' || url.pathname.includes('@');
  if (isTornApart || decoded(url.username + url.password) === undefined) return UNENCODED;
  if (CHOICES_OF_HOSTS.some((name) => url.searchParams.has(name))) return ONE_HOST;
  if (url.searchParams.get('host')?.includes(',')) return ONE_HOST;
  // An unknown mode would silently mean no TLS at all.
  const mode = url.searchParams.get('sslmode');
  return mode === null || SSL_MODES.includes(mode)
    ? undefined
    : `must have one of these as its sslmode: ${SSL_MODES.join(', ')}`;
}

/** What follows the user, up to the database. Several ports make a URL that cannot even be parsed. */
function namesSeveralHosts(url: string): boolean {
  const [start = '', authority = ''] = /^[a-z]+:\/\/([^/?#]*)/.exec(url) ?? [];
  const rest = url.slice(start.length);
  if (rest.startsWith('#') || rest.includes('@')) return false;
  return authority.slice(authority.lastIndexOf('@') + 1).includes(',');
}

/** A part of a URL; undefined where it is not percent-encoded. */
export function decoded(part = ''): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}
