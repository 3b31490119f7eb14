// Answers whatever no other route does: unknown addresses, and known ones asked with another method. It is behind the same guard,
// so that a caller without a key learns nothing.
import { All, Controller, HttpCode, Res, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Response } from 'express';
import { ANY_KEY, NeedsScope } from '../auth/caller.js';
import { AllowedMethods } from './allowed-methods.js';

export const UNMATCHED = '/{*path}';

@ApiExcludeController()
@NeedsScope(ANY_KEY)
@Controller({ version: VERSION_NEUTRAL })
export class UnmatchedController {
  constructor(private readonly allowedMethods: AllowedMethods) {}

  @All(UNMATCHED)
  @HttpCode(204)
  answer(@Res({ passthrough: true }) response: Response): void {
    const allowed = this.allowedMethods.of(response.req.path);
    if (response.req.method !== 'OPTIONS' || allowed.length === 0)
      throw this.allowedMethods.refusalOf(response.req);
    response.setHeader('Allow', allowed.join(', '));
  }
}
