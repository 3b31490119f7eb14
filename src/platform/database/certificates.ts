// The certificate files a DATABASE_URL may name. pg would read them for every connection it opens, and throw where nobody can
// catch it when one is gone. Here they are read again too, so that a renewed one is used, but one that cannot be read stays as it was.
import { readFileSync } from 'node:fs';
import { parse } from 'pg-connection-string';

const FILES = { sslrootcert: 'ca', sslcert: 'cert', sslkey: 'key' } as const;
const PARAMETERS = [...Object.keys(FILES), 'ssl', 'sslmode', 'sslnegotiation', 'uselibpqcompat'];

/** Removes the TLS parameters from a URL that names such files, and returns them as options for pg's pool. */
export function takeCertificates(url: URL): object {
  const files = Object.entries(FILES).flatMap(([parameter, option]) => {
    const path = url.searchParams.get(parameter);
    return path === null || path === '' ? [] : [{ option, path }];
  });
  if (files.length === 0) return {};
  const { ssl, sslnegotiation } = parse(url.href); // throws when a file is not there at the start
  for (const name of PARAMETERS) url.searchParams.delete(name);
  if (typeof ssl === 'object') for (const { option, path } of files) readAgain(ssl, option, path);
  return { ssl, ...(sslnegotiation === undefined ? {} : { sslnegotiation }) };
}

function readAgain(ssl: object, option: string, path: string): void {
  let last = readFileSync(path, 'utf8');
  const read = (): string => {
    try {
      last = readFileSync(path, 'utf8');
    } catch {
      // being replaced, perhaps
    }
    return last;
  };
  Object.defineProperty(ssl, option, { get: read, enumerable: true, configurable: true });
}
