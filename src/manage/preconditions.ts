// If-Match and If-None-Match (RFC 9110) of a request that writes. Tags are compared weakly.
import { headerParts } from '../formats/header-parts.js';

export interface Preconditions {
  readonly ifMatch: string | undefined;
  readonly ifNoneMatch: string | undefined;
}

/** What is there now, as a GET shows it. */
export interface Current {
  readonly etag: string;
  readonly isDeleted: boolean;
}

export function areMet({ ifMatch, ifNoneMatch }: Preconditions, current: Current | undefined): boolean {
  if (ifMatch !== undefined && !names(ifMatch, current)) return false;
  return ifNoneMatch === undefined || !names(ifNoneMatch, current);
}

/** `*` is anything that is not deleted. */
function names(header: string, current: Current | undefined): boolean {
  if (current === undefined) return false;
  if (header.trim() === '*') return !current.isDeleted;
  return headerParts(header, ',').some((tag) => opaque(tag) === opaque(current.etag));
}

function opaque(tag: string): string {
  return tag.startsWith('W/') ? tag.slice(2) : tag;
}
