// The settings of mail: which server, and who it is from. No message repeats the URL: it holds a password.
import { hostIn, isLoopback, optional, readServerUrl, type Refuse } from './kinds.js';

export interface MailServer {
  readonly host: string;
  /** Undefined: 465 with TLS from the start, otherwise 587. */
  readonly port: number | undefined;
  readonly isSecure: boolean;
  /** A password goes unencrypted to this machine only. */
  readonly requiresTls: boolean;
  readonly login: { readonly user: string; readonly pass: string } | undefined;
}

export interface MailFrom {
  readonly name: string;
  readonly address: string;
}

const ATOM = /^[\w!#$%&'*+/=?^`{|}~-]+$/;
const LABEL = /^[a-z\d-]{1,63}$/i;

/** One address: no list, no name, no comment, no quotes. */
export function isMailAddress(text: string): boolean {
  const at = text.lastIndexOf('@');
  const [local, domain] = [text.slice(0, Math.max(at, 0)), text.slice(at + 1)];
  return (
    text.length <= 254 &&
    local.length <= 64 &&
    local.split('.').every((part) => ATOM.test(part)) &&
    domain.split('.').every((part) => LABEL.test(part) && !part.startsWith('-') && !part.endsWith('-'))
  );
}

const EXAMPLE = 'must look like smtp://user:password@mail.example.com:587';

export const smtpUrl = optional('smtp or smtps://user:password@host:port', readUrl);

function readUrl(text: string, refuse: Refuse): MailServer | undefined {
  const read = /^smtps?:\/\//.test(text) ? readServerUrl(text, EXAMPLE) : EXAMPLE;
  if (typeof read === 'string') return refuse(read);
  const { url, user, password: pass } = read;
  if (url.hostname === '' || !/^\/?$/.test(url.pathname + url.search)) return refuse(EXAMPLE);
  if ((user === '') !== (pass === '')) return refuse('must have both a user and a password, or none of them');
  const login = user === '' ? undefined : { user, pass };
  return {
    host: hostIn(url),
    port: url.port === '' ? undefined : Number(url.port),
    isSecure: url.protocol === 'smtps:',
    requiresTls: login !== undefined && !isLoopback(hostIn(url).toLowerCase()),
    login,
  };
}

export const mailFrom = optional('Name <address>, or an address', (text, refuse): MailFrom | undefined => {
  const [, name = '', inBrackets] = /^([^<>]*)<([^<>]*)>$/.exec(text) ?? [];
  const address = inBrackets ?? text;
  if (isMailAddress(address) && !/[\p{Cc}]/u.test(name))
    return { name: name.trim().replace(/^"(.*)"$/, '$1'), address };
  return refuse('must be an address, or a name and an address, such as Tanks <tanks@example.com>');
});
