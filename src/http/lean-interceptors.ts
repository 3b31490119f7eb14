// A departure from stock, for speed. Nest runs interceptors through a dozen rxjs objects and promises a request, a large part of
// what a small answer costs. An interceptor that only changes what a handler returned needs none of them: it says so by a
// method under the symbol below, and is called with the value. A route with any other interceptor runs as Nest runs it.
import type { ExecutionContext, NestInterceptor } from '@nestjs/common';
import { InterceptorsConsumer } from '@nestjs/core/interceptors/interceptors-consumer.js';
import { isObservable, map } from 'rxjs';

export const CHANGES_VALUE = Symbol('changes the value alone');

/** Its intercept() must do the same, for routes that run as Nest runs them. */
export interface ValueInterceptor extends NestInterceptor {
  [CHANGES_VALUE](value: unknown, context: ExecutionContext): unknown;
}

/** What Nest hands to its consumer: the interceptors of a route, its arguments, its class and handler, and the call itself. */
type Intercept = InterceptorsConsumer['intercept'];

let isLean = false;

/** For all applications of this process: Nest makes the consumer itself, out of reach. */
export function runInterceptorsLean(): void {
  if (isLean) return;
  isLean = true;
  const interceptAsNest: Intercept = Reflect.get(InterceptorsConsumer.prototype, 'intercept');
  const intercept: Intercept = async function (
    this: InterceptorsConsumer,
    interceptors,
    args,
    instance,
    callback,
    next,
    type,
  ) {
    if (!interceptors.every(changesValueAlone)) {
      return interceptAsNest.call(this, interceptors, args, instance, callback, next, type);
    }
    const context = this.createContext(args, instance, callback);
    if (type !== undefined) context.setType(type);
    const change = (value: unknown): unknown =>
      interceptors.reduceRight((changed, interceptor) => interceptor[CHANGES_VALUE](changed, context), value);
    const result: unknown = await next();
    return isObservable(result) ? result.pipe(map(change)) : change(result);
  };
  InterceptorsConsumer.prototype.intercept = intercept;
}

function changesValueAlone(interceptor: NestInterceptor): interceptor is ValueInterceptor {
  return CHANGES_VALUE in interceptor;
}
