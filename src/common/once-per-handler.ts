// What decorators say of a handler and its class does not change: it is read once, not with every request.
import type { ExecutionContext } from '@nestjs/common';

export function oncePerHandler<T>(read: (context: ExecutionContext) => T): (context: ExecutionContext) => T {
  const known = new WeakMap<object, { readonly type: object; readonly said: T }>();
  return (context) => {
    const handler = context.getHandler();
    const type = context.getClass();
    let found = known.get(handler);
    // A handler that classes inherit may mean something else in each of them.
    if (found?.type !== type) {
      found = { type, said: read(context) };
      known.set(handler, found);
    }
    return found.said;
  };
}
