// Which methods an address answers, for Allow, CORS and OPTIONS. The controllers know; the pages beside them are read only.
import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { methodNotAllowed, unknownAddress, type Problem } from '../problems/problem.js';
import type { Routes } from './routes.js';

/** In the order of the Allow header. Every address answers OPTIONS. */
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

const PAGES = ['/', '/docs', '/openapi.json'];

interface Address {
  readonly parts: readonly string[];
  readonly methods: readonly string[];
}

@Injectable()
export class AllowedMethods {
  private known: readonly Address[] | undefined;
  private routes: () => Routes = () => ({});

  /** `routes`: asked for when they are needed. */
  learn(routes: () => Routes): void {
    this.routes = routes;
  }

  /** Such as GET, HEAD and OPTIONS; none for an unknown path. */
  of(path: string): string[] {
    const asked = splitPath(path);
    return listMethods(this.addresses().filter(({ parts }) => fits(asked, parts)));
  }

  /** Of a request that no operation takes. */
  refusalOf({ path, method }: Request): Problem {
    const allowed = this.of(path);
    const isRefusedAlone = allowed.length > 0 && !allowed.includes(method);
    return isRefusedAlone ? methodNotAllowed(method, allowed.join(', ')) : unknownAddress();
  }

  ofAll(): string[] {
    return listMethods(this.addresses());
  }

  private addresses(): readonly Address[] {
    const pages = Object.fromEntries(PAGES.map((path) => [path, { get: {} }]));
    this.known ??= Object.entries({ ...pages, ...this.routes() }).map(([path, operations]) => ({
      parts: splitPath(path),
      methods: Object.keys(operations).map((method) => method.toUpperCase()),
    }));
    return this.known;
  }
}

/** As Express compares them: whatever their case, and with or without a slash at the end. */
function splitPath(path: string): string[] {
  const trimmed = path.endsWith('/') ? path.slice(0, -1) : path;
  return trimmed.toLowerCase().split('/');
}

function fits(asked: readonly string[], parts: readonly string[]): boolean {
  return (
    asked.length === parts.length &&
    parts.every((part, i) => part === asked[i] || (part.startsWith('{') && asked[i] !== ''))
  );
}

function listMethods(addresses: readonly Address[]): string[] {
  if (addresses.length === 0) return [];
  const found = new Set(['OPTIONS', ...addresses.flatMap(({ methods }) => methods)]);
  if (found.has('GET')) found.add('HEAD');
  return METHODS.filter((method) => found.has(method));
}
