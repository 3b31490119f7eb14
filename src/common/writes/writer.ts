// @CurrentWriter(): who changes an object, and on what condition: If-Match and If-None-Match (RFC 9110). Tags are compared weakly.
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { callerIn, type Caller } from '../auth/caller.js';
import { etagOf, namesTag } from '../http/etag.js';
import { preconditionFailed } from './problems.js';

export interface Writer extends Caller {
  /** For what is logged of the change. */
  readonly requestId: string;
  readonly ifMatch: string | undefined;
  readonly ifNoneMatch: string | undefined;
  /** Instead of a key: the operator's command, such as `webhooks add`. */
  readonly command?: string;
  /** Instead of a key: a link in a mail, by what it does. */
  readonly link?: string;
}

export const CurrentWriter = createParamDecorator((_: unknown, context: ExecutionContext): Writer => {
  const { headers, requestId } = context.switchToHttp().getRequest<Request>();
  const { 'if-match': ifMatch, 'if-none-match': ifNoneMatch } = headers;
  return { ...callerIn(context), requestId, ifMatch, ifNoneMatch };
});

/** What is there now, as a GET shows it; undefined when there is nothing. */
export function requireConditions(
  { ifMatch, ifNoneMatch }: Writer,
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
  return namesTag(header, etagOf(JSON.stringify(shown)));
}
