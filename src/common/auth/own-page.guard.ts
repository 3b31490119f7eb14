// For what signs in and out: only this service's own page may ask for it, with a session or without one.
import { Inject, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { CONFIG } from '../../platform/config/config.module.js';
import type { Config } from '../../platform/config/config.js';
import { requireOwnPage } from './cookies.js';

@Injectable()
export class OwnPageGuard implements CanActivate {
  constructor(@Inject(CONFIG) private readonly config: Config) {}

  canActivate(context: ExecutionContext): true {
    requireOwnPage(context.switchToHttp().getRequest<Request>(), this.config.publicUrl);
    return true;
  }
}
