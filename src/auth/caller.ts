// Who is asking, as the guard found out, and how handlers are told.
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { IncomingMessage } from 'node:http';

export interface Caller {
  readonly keyPrefix: string;
  /** The customer the key is bound to: all the caller may see. Null sees everything. */
  readonly customerId: string | null;
}

const callers = new WeakMap<IncomingMessage, Caller>();

export function rememberCaller(request: IncomingMessage, caller: Caller): void {
  callers.set(request, caller);
}

export function callerOf(request: IncomingMessage): Caller | undefined {
  return callers.get(request);
}

/** The customer the caller is bound to, or null. Refuses to run where no guard has been. */
export const BoundTo = createParamDecorator((_: unknown, context: ExecutionContext): string | null => {
  const caller = callerOf(context.switchToHttp().getRequest<IncomingMessage>());
  if (caller === undefined) throw new Error('No caller: the API key guard did not run.');
  return caller.customerId;
});
