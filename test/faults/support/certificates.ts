// Certificates for a PostgreSQL of the test's own, made by openssl.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface Certificate {
  readonly certificateFile: string;
  readonly keyFile: string;
}

/** Signed by itself, so that whoever trusts it trusts this one only. */
export async function makeCertificate(folder: string, name: string, host: string): Promise<Certificate> {
  const [certificateFile, keyFile] = [join(folder, `${name}.crt`), join(folder, `${name}.key`)];
  const names = ['-subj', `/CN=${host}`, '-addext', `subjectAltName=DNS:${host}`];
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', keyFile];
  await run('openssl', ['req', '-x509', ...key, '-days', '2', ...names, '-out', certificateFile]);
  return { certificateFile, keyFile };
}
