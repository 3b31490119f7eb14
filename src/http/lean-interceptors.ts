// Nest runs interceptors through a dozen rxjs objects and promises a request, a large part of what a small answer costs. An
// interceptor that only changes what a handler returned needs none of them: it says so with a transform(), and is called
// with the value. Any other interceptor runs as Nest runs it.
import type { ExecutionContext, NestInterceptor } from '@nestjs/common';
import { InterceptorsConsumer } from '@nestjs/core/interceptors/interceptors-consumer.js';

export interface TransformingInterceptor extends NestInterceptor {
  transform(value: unknown, context: ExecutionContext): unknown;
}

/** What Nest hands to its consumer: the interceptors of a route, its arguments, its class and handler, and the call itself. */
type Intercept = InterceptorsConsumer['intercept'];

let isLean = false;

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
    if (!interceptors.every(isTransforming)) {
      return interceptAsNest.call(this, interceptors, args, instance, callback, next, type);
    }
    const context = this.createContext(args, instance, callback);
    let value: unknown = await next();
    for (const interceptor of interceptors.toReversed()) value = interceptor.transform(value, context);
    return value;
  };
  InterceptorsConsumer.prototype.intercept = intercept;
}

function isTransforming(interceptor: NestInterceptor): interceptor is TransformingInterceptor {
  return 'transform' in interceptor;
}
