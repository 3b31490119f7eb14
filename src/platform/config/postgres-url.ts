// What can be wrong with the URL of a PostgreSQL, and how to fix it. No message repeats the URL: it may hold a password.

const SSL_MODES = ['disable', 'no-verify', 'prefer', 'require', 'verify-ca', 'verify-full'];
const EXAMPLE = 'must look like postgres://user:password@host:5432/database';
const UNENCODED =
  'must have its password percent-encoded where it is not letters and digits: %23 for #, %2F for /, %3F for ?, %40 for @, %25 for %';

const ONE_HOST =
  'must name one host, without target_session_attrs and load_balance_hosts: use an address that follows the primary (see "Failover" in docs/database.md)';
/** libpq chooses between hosts by these; here they would be ignored. */
const CHOICES_OF_HOSTS = ['target_session_attrs', 'load_balance_hosts'];

/** Undefined when nothing is. */
export function faultOfPostgresUrl(text: string): string | undefined {
  if (!/^postgres(ql)?:/.test(text)) return EXAMPLE;
  if (namesSeveralHosts(text)) return ONE_HOST;
  if (!URL.canParse(text)) return text.includes('@') ? UNENCODED : EXAMPLE;
  const url = new URL(text);
  // What follows an unencoded #, / or ? of a password is taken for another part of the URL, the @ before the host with it.
  const isTornApart = url.hash !== '' || url.pathname.includes('@');
  if (isTornApart || !isDecodable(url.username + url.password)) return UNENCODED;
  if (CHOICES_OF_HOSTS.some((name) => url.searchParams.has(name))) return ONE_HOST;
  if (url.searchParams.get('host')?.includes(',')) return ONE_HOST;
  // An unknown mode would silently mean no TLS at all.
  const mode = url.searchParams.get('sslmode');
  return mode === null || SSL_MODES.includes(mode)
    ? undefined
    : `must have one of these as its sslmode: ${SSL_MODES.join(', ')}`;
}

/** What follows the user, up to the database. Several ports make a URL that cannot even be parsed. */
function namesSeveralHosts(text: string): boolean {
  const [start = '', authority = ''] = /^[a-z]+:\/\/([^/?#]*)/.exec(text) ?? [];
  const rest = text.slice(start.length);
  if (rest.startsWith('#') || rest.includes('@')) return false;
  return authority.slice(authority.lastIndexOf('@') + 1).includes(',');
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
