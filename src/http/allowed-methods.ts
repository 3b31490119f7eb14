// Which methods an address answers, for Allow, CORS and OPTIONS: read from the routes of the application, once all are there.
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { ExpressAdapter } from '@nestjs/platform-express';
import type { Express } from 'express';
import { pathToRegexp } from 'path-to-regexp';

/** In the order of the Allow header. Every address answers OPTIONS. */
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

interface Route {
  readonly pattern: RegExp;
  readonly methods: readonly string[];
}

@Injectable()
export class AllowedMethods implements OnApplicationBootstrap {
  private routes: readonly Route[] = [];

  constructor(private readonly adapterHost: HttpAdapterHost<ExpressAdapter>) {}

  onApplicationBootstrap(): void {
    const adapter = this.adapterHost.httpAdapter;
    const { caseSensitive, ignoreTrailingSlash } = adapter.getRouteMatchingOptions();
    const options = { sensitive: caseSensitive, trailing: ignoreTrailingSlash };
    this.routes = adapter.getInstance<Express>().router.stack.flatMap(({ route }) => {
      const methods = route?.stack.map(({ method }) => method.toUpperCase()) ?? [];
      // What takes every method is a middleware, or the controller of unknown addresses.
      if (route === undefined || METHODS.every((method) => methods.includes(method))) return [];
      return { pattern: pathToRegexp(route.path, options).regexp, methods };
    });
  }

  /** Such as GET, HEAD and OPTIONS; none for an unknown path. */
  of(path: string): string[] {
    const routes = this.routes.filter(({ pattern }) => pattern.test(path));
    return routes.length === 0 ? [] : methodsOf(routes);
  }

  ofAll(): string[] {
    return methodsOf(this.routes);
  }
}

function methodsOf(routes: readonly Route[]): string[] {
  const found = new Set(['OPTIONS', ...routes.flatMap(({ methods }) => methods)]);
  if (found.has('GET')) found.add('HEAD');
  return METHODS.filter((method) => found.has(method));
}
