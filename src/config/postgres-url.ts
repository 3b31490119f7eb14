// What can be wrong with the URL of a PostgreSQL, in words that say how to fix it. None of them repeats the URL: it may hold a
// password.

const SSL_MODES = ['disable', 'no-verify', 'prefer', 'require', 'verify-ca', 'verify-full'];
const EXAMPLE = 'must look like postgres://user:password@host:5432/database';
const UNENCODED =
  'must have its password percent-encoded where it is not letters and digits: %23 for #, %2F for /, %3F for ?, %40 for @, %25 for %';

/** Undefined when nothing is. */
export function faultOfPostgresUrl(text: string): string | undefined {
  if (!/^postgres(ql)?:/.test(text)) return EXAMPLE;
  if (!URL.canParse(text)) return text.includes('@') ? UNENCODED : EXAMPLE;
  const url = new URL(text);
  // What follows an unencoded #, / or ? of a password is taken for another part of the URL, the @ before the host with it.
  const isTornApart = url.hash !== '' || url.pathname.includes('@');
  if (isTornApart || !isDecodable(url.username + url.password)) return UNENCODED;
  // An unknown mode would silently mean no TLS at all.
  const mode = url.searchParams.get('sslmode');
  return mode === null || SSL_MODES.includes(mode)
    ? undefined
    : `must have one of these as its sslmode: ${SSL_MODES.join(', ')}`;
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
