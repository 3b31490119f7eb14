// Who is asking, as the guard found out; how handlers get it, and what they need of it.
import { createParamDecorator, SetMetadata, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { Scope } from './scope.js';
import { isStorable } from '../../platform/database/reads.js';

export interface Caller {
  readonly kind: 'key' | 'user';
  /** A key's prefix, or a user's id: requests are counted, seated and logged by it. */
  readonly id: string;
  readonly name: string;
  /** The key that made this one: requests of both count together. */
  readonly parent: string | null;
  /** A user's. */
  readonly email: string | null;
  /** The customer the caller is bound to: all it may see. Null sees everything. */
  readonly customerId: string | null;
  readonly scopes: readonly Scope[];
  /** In milliseconds since 1970; Infinity for a user, and for a key that does not end. */
  readonly endsAt: number;
}

/** Names the group of keys whose requests count together. */
export const limitOf = ({ id, parent }: Caller): string => `key:${parent ?? id}`;

declare global {
  namespace Express {
    interface Request {
      /** Undefined until the guard has let the request in, and on public routes. */
      caller?: Caller;
    }
  }
}

export const BoundCustomerId = createParamDecorator(
  (_: unknown, context: ExecutionContext): string | null => callerIn(context).customerId,
);

export const CurrentCaller = createParamDecorator((_: unknown, context: ExecutionContext): Caller =>
  callerIn(context),
);

/** Refuses to run where no guard has been. */
export function callerIn(context: ExecutionContext): Caller {
  const { caller } = context.switchToHttp().getRequest<Request>();
  if (caller === undefined) throw new Error('No caller: the API key guard did not run.');
  return caller;
}

/** Set for every route that is not public: one that does not say which scopes it needs lets nobody in. */
export const NEEDED_SCOPE = 'neededScope';
/** For answers that only say what was wrong with the address. */
export const ANY_KEY = 'any key';
export type NeededScope = Scope | typeof ANY_KEY;

export const NeedsScope = (...scopes: NeededScope[]) => SetMetadata(NEEDED_SCOPE, scopes);

/** Set for what INGEST=off leaves out: what is not there needs no scope, but a key. */
export const NEEDS_INGEST = 'needsIngest';

/** Open to callers without a key: documentation and health, nothing else. */
export const IS_PUBLIC = 'isPublic';
export const Public = () => SetMetadata(IS_PUBLIC, true);

/** Whose things are asked for: null for everybody's; '', the id of no customer, for nobody's. */
export function resolveOwner(asked: string | undefined, boundTo: string | null): string | null {
  if (asked === undefined) return boundTo;
  return isStorable(asked) && (boundTo === null || boundTo === asked) ? asked : '';
}
