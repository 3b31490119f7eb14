// Answers whatever no other route does: unknown addresses, and known ones asked in the wrong way. It is behind the same guard,
// so that a caller without a key learns nothing.
import { All, Controller, HttpCode, Inject, Req, Res, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { ANY_KEY, NeedsScope } from '../auth/needs-scope.decorator.js';
import { CONFIG } from '../config/config.module.js';
import type { Config } from '../config/config.js';
import { badRequest, bodyTooLarge, methodNotAllowed, unknownAddress } from '../problems/problem.js';
import { AllowedMethods } from './allowed-methods.js';
import { isBodyTooLarge } from './request-body.js';

export const UNMATCHED = '/{*path}';

@ApiExcludeController()
@NeedsScope(ANY_KEY)
@Controller({ version: VERSION_NEUTRAL })
export class UnmatchedController {
  constructor(
    private readonly allowedMethods: AllowedMethods,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  @All(UNMATCHED)
  @HttpCode(204)
  answer(@Req() request: Request, @Res({ passthrough: true }) response: Response): void {
    const path = request.originalUrl.split('?', 1)[0] ?? '/';
    if (isMalformed(request.originalUrl)) {
      const detail =
        'The address is not valid percent-encoded UTF-8; write a percent sign as %25 and a hash as %23.';
      throw badRequest('malformed_url', detail);
    }
    const { maxBodyBytes } = this.config.limits;
    if (isBodyTooLarge(request, maxBodyBytes)) throw bodyTooLarge(maxBodyBytes);
    const allowed = this.allowedMethods.of(path).join(', ');
    if (allowed === '') throw unknownAddress();
    if (request.method !== 'OPTIONS') throw methodNotAllowed(request.method, allowed);
    response.setHeader('Allow', allowed);
  }
}

/** To the controller above: Express would refuse a malformed address before the guard, and most routes would ignore a body. */
export function divertUnreadable(request: Request, { maxBodyBytes }: Config['limits']): void {
  const isTooLarge = request.url.startsWith('/v1/') && isBodyTooLarge(request, maxBodyBytes);
  if (isTooLarge || isMalformed(request.url)) {
    request.originalUrl = request.url;
    request.url = '/unreadable';
  }
}

/** Not percent-encoded UTF-8, or with a fragment, which Express would cut off, or read as //user@host without a path. */
function isMalformed(url: string): boolean {
  if (url.includes('#') && (url.startsWith('/v1/') || url.includes('//'))) return true;
  if (!url.includes('%')) return false;
  try {
    decodeURIComponent(url.split('?', 1)[0] ?? '');
    return false;
  } catch {
    return true;
  }
}
