// Which methods an address answers: the one place that knows, for Allow, for CORS and for those who ask with OPTIONS. It learns
// them from the routes of the application, once all of them are there.
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { ExpressAdapter } from '@nestjs/platform-express';
import type { Express } from 'express';
import { pathToRegexp } from 'path-to-regexp';

/** In the order in which they are told. Every address answers OPTIONS. */
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

interface Offer {
  readonly pattern: RegExp;
  readonly methods: readonly string[];
}

@Injectable()
export class AllowedMethods implements OnApplicationBootstrap {
  private offers: readonly Offer[] = [];

  constructor(private readonly adapterHost: HttpAdapterHost<ExpressAdapter>) {}

  onApplicationBootstrap(): void {
    const adapter = this.adapterHost.httpAdapter;
    const { caseSensitive, ignoreTrailingSlash } = adapter.getRouteMatchingOptions();
    const options = { sensitive: caseSensitive, trailing: ignoreTrailingSlash };
    this.offers = adapter.getInstance<Express>().router.stack.flatMap(({ route }) => {
      const methods = route?.stack.map(({ method }) => method.toUpperCase()) ?? [];
      // What takes every method is a middleware, or answers what nothing else does: neither is an offer.
      if (route === undefined || METHODS.every((method) => methods.includes(method))) return [];
      return { pattern: pathToRegexp(route.path, options).regexp, methods };
    });
  }

  /** Those of a path, such as GET, HEAD and OPTIONS; none where there is nothing. */
  of(path: string): string[] {
    const offers = this.offers.filter(({ pattern }) => pattern.test(path));
    return offers.length === 0 ? [] : listed(offers);
  }

  /** Those that some address answers. */
  ofAll(): string[] {
    return listed(this.offers);
  }
}

function listed(offers: readonly Offer[]): string[] {
  const offered = new Set(['OPTIONS', ...offers.flatMap(({ methods }) => methods)]);
  if (offered.has('GET')) offered.add('HEAD');
  return METHODS.filter((method) => offered.has(method));
}
