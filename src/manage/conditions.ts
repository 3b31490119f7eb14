// @Conditions(): If-Match and If-None-Match (RFC 9110) of a request that writes. Tags are compared weakly.
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { headerParts } from '../formats/header-parts.js';
import { etagOf } from '../http/etag.js';
import { preconditionFailed } from './problems.js';

export interface WriteConditions {
  readonly ifMatch: string | undefined;
  readonly ifNoneMatch: string | undefined;
}

export const Conditions = createParamDecorator((_: unknown, context: ExecutionContext): WriteConditions => {
  const { headers } = context.switchToHttp().getRequest<Request>();
  return { ifMatch: headers['if-match'], ifNoneMatch: headers['if-none-match'] };
});

/** What is there now, as a GET shows it; undefined when there is nothing. */
export function requireConditions(
  { ifMatch, ifNoneMatch }: WriteConditions,
  kind: string,
  shown: object | undefined,
): void {
  if (ifMatch !== undefined && !names(ifMatch, shown)) throw preconditionFailed(kind);
  if (ifNoneMatch !== undefined && names(ifNoneMatch, shown)) throw preconditionFailed(kind);
}

/** `*` is anything that is not deleted. */
function names(header: string, shown: object | undefined): boolean {
  if (shown === undefined) return false;
  if (header.trim() === '*') return !('deleted' in shown);
  const tag = opaque(etagOf(JSON.stringify(shown)));
  return headerParts(header, ',').some((one) => opaque(one) === tag);
}

function opaque(tag: string): string {
  return tag.startsWith('W/') ? tag.slice(2) : tag;
}
