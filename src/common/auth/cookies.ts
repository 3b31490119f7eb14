// The cookies of people who sign in, and which requests with one may change something: those of this service's own page alone.
import type { CookieOptions, Request, Response } from 'express';
import { crossSite } from '../problems/problem.js';
import { Inject, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { CONFIG, type Config } from '../../platform/config/config.js';

/** Where people reach the service: PUBLIC_URL; without that setting, where this request did. */
type PublicUrl = string | undefined;

/** Where it is reached by TLS, of a name that nobody but this host can set. */
export class Cookie {
  constructor(
    private readonly name: string,
    /** Another program on the same host may have a cookie of this name. */
    private readonly format: RegExp,
    private readonly publicUrl: PublicUrl,
  ) {}

  in(request: Request): string | undefined {
    const start = `${this.nameFor(request)}=`;
    const pairs = (request.headers.cookie ?? '').split(';').map((pair) => pair.trim());
    const values = pairs.filter((pair) => pair.startsWith(start)).map((pair) => pair.slice(start.length));
    return values.find((value) => this.format.test(value));
  }

  /** Without a time, until the browser ends. */
  set(response: Response, value: string, seconds?: number): void {
    const { req: request } = response;
    const maxAge = seconds === undefined ? {} : { maxAge: seconds * 1000 };
    response.cookie(this.nameFor(request), value, { ...this.optionsFor(request), ...maxAge });
  }

  clear(response: Response): void {
    response.clearCookie(this.nameFor(response.req), this.optionsFor(response.req));
  }

  private optionsFor(request: Request): CookieOptions {
    return { httpOnly: true, secure: this.isSecure(request), sameSite: 'lax', path: '/' };
  }

  private nameFor(request: Request): string {
    return this.isSecure(request) ? `__Host-${this.name}` : this.name;
  }

  private isSecure({ protocol }: Request): boolean {
    return (this.publicUrl ?? `${protocol}:`).startsWith('https:');
  }
}

export const sessionCookie = (publicUrl: PublicUrl) =>
  new Cookie('session', /^[A-Za-z0-9_-]{43}$/, publicUrl);

/** Browsers say where a request comes from; older ones at least its origin. */
export function requireOwnPage(request: Request, publicUrl: PublicUrl): void {
  const { 'sec-fetch-site': site, origin } = request.headers;
  const own = publicUrl ?? `${request.protocol}://${request.host}`;
  if (site === undefined ? origin !== own : site !== 'same-origin') throw crossSite();
}

/** For what signs in and out, with a session or without one. */
@Injectable()
export class OwnPageGuard implements CanActivate {
  constructor(@Inject(CONFIG) private readonly config: Config) {}

  canActivate(context: ExecutionContext): true {
    requireOwnPage(context.switchToHttp().getRequest<Request>(), this.config.publicUrl);
    return true;
  }
}
