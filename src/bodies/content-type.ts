// What the headers say of a body: its type, its charset and its encoding.
import { headerParts } from '../formats/header-parts.js';

export interface ContentType {
  /** In lower case, without parameters. */
  readonly type: string;
  /** True also when no charset is named. */
  readonly isUtf8: boolean;
}

/** A parameter, whose value may be quoted. Every character can be matched in one way only. */
const PARAMETER = /^([^\s="]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s"]*))$/;
const UTF_8 = /^utf-?8$/i;

/** Undefined when it is missing or not well formed. */
export function contentTypeOf(header: string | undefined): ContentType | undefined {
  const [type = '', ...parameters] = headerParts(header ?? '', ';');
  const matches = parameters.filter((part) => part !== '').map((part) => PARAMETER.exec(part));
  if (type === '' || matches.includes(null)) return undefined;
  const charsets = matches.filter((match) => match?.[1]?.toLowerCase() === 'charset');
  return {
    type: type.toLowerCase(),
    isUtf8: charsets.every((match) => UTF_8.test(match?.[2] ?? match?.[3] ?? '')),
  };
}

/** In lower case; `identity` when there is none. */
export function encodingOf(header = ''): string {
  return header.trim().toLowerCase() || 'identity';
}
