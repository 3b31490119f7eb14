// What the headers say of a body: whether there is one, its type, its charset and its encoding.
import type { IncomingHttpHeaders } from 'node:http';
import { headerParts } from '../pagination/header-parts.js';
import { unsupportedMediaType } from '../problems/problem.js';

export function expectsBody(headers: IncomingHttpHeaders): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

interface ContentType {
  /** In lower case, without parameters. */
  readonly type: string;
  /** True also when no charset is named. */
  readonly isUtf8: boolean;
}

/** A parameter, whose value may be quoted. Every character can be matched in one way only. */
const PARAMETER = /^([^\s="]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s"]*))$/;
const UTF_8 = /^utf-?8$/i;

/** Undefined when it is missing or not well formed. */
export function parseContentType(header: string | undefined): ContentType | undefined {
  const [type = '', ...parameters] = headerParts(header ?? '', ';');
  const matches = parameters.filter((part) => part !== '').map((part) => PARAMETER.exec(part));
  if (type === '' || matches.includes(null)) return undefined;
  const charsets = matches.filter((match) => match?.[1]?.toLowerCase() === 'charset');
  return {
    type: type.toLowerCase(),
    isUtf8: charsets.every((match) => UTF_8.test(match?.[2] ?? match?.[3] ?? '')),
  };
}

/** What a request may send. */
export interface AcceptedBody {
  /** In the order in which they are offered; a `*` stands for any text. */
  readonly types: readonly string[];
  /** Which header lists them, when another was sent. */
  readonly acceptedIn: 'Accept-Post' | 'Accept' | 'Accept-Patch';
  readonly mayBeGzip?: true;
  /** As messages call it. */
  readonly content: string;
}

function fits(type: string, accepted: string): boolean {
  const [before = '', after] = accepted.split('*');
  if (after === undefined) return type === accepted;
  return type.startsWith(before) && type.endsWith(after) && type.length > before.length + after.length;
}

/** By the headers alone: another type is not even read. */
export function requireType(
  { 'content-type': type, 'content-encoding': encoding = '' }: IncomingHttpHeaders,
  { types, acceptedIn, content, mayBeGzip }: AcceptedBody,
): { isGzip: boolean } {
  const offered = { [acceptedIn]: types.join(', ') };
  const sent = parseContentType(type);
  if (sent === undefined || !types.some((accepted) => fits(sent.type, accepted)))
    throw unsupportedMediaType(`Send ${content} with the Content-Type ${types.join(' or ')}.`, offered);
  if (!sent.isUtf8) throw unsupportedMediaType(`Send ${content} in UTF-8.`, offered);
  const sentEncoding = encoding.trim().toLowerCase() || 'identity';
  const isGzip = mayBeGzip === true && ['gzip', 'x-gzip'].includes(sentEncoding);
  if (isGzip || sentEncoding === 'identity') return { isGzip };
  throw mayBeGzip === true
    ? unsupportedMediaType('Send the body as it is, or with Content-Encoding: gzip.', {
        'Accept-Encoding': 'gzip',
      })
    : unsupportedMediaType('Send the body as it is, without Content-Encoding.', {
        'Accept-Encoding': 'identity',
      });
}
