// Who is asking, as the guard found out, and how handlers get it.
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { Scope } from './scope.js';

export interface Caller {
  readonly kind: 'key' | 'user';
  /** A key's prefix, or a user's id: requests are counted, seated and logged by it. */
  readonly id: string;
  readonly name: string;
  /** A user's. */
  readonly email: string | null;
  /** The customer the caller is bound to: all it may see. Null sees everything. */
  readonly customerId: string | null;
  readonly scopes: readonly Scope[];
  /** In milliseconds since 1970; Infinity for a user, and for a key that does not end. */
  readonly endsAt: number;
}

declare global {
  namespace Express {
    interface Request {
      /** Undefined until the guard has let the request in, and on public routes. */
      caller?: Caller;
    }
  }
}

export const BoundTo = createParamDecorator(
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
