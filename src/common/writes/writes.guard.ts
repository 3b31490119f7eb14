// INGEST=off: what writes is answered as if it were not there, and the OpenAPI document leaves it out.
import { applyDecorators, Inject, Injectable, UseGuards } from '@nestjs/common';
import type { CanActivate, ExecutionContext } from '@nestjs/common';
import { ApiExtension } from '@nestjs/swagger';
import type { Request } from 'express';
import { CONFIG, type Config } from '../../platform/config/config.js';
import { NeedsScope } from '../auth/caller.js';
import type { Scope } from '../auth/scope.js';
import { AllowedMethods } from '../http/allowed-methods.js';

/** Marks such an operation until the document is complete. */
export const WRITES = 'x-writes';

@Injectable()
class WritesGuard implements CanActivate {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly allowedMethods: AllowedMethods,
  ) {}

  canActivate(context: ExecutionContext): true {
    if (this.config.ingest.isOn) return true;
    throw this.allowedMethods.refusalOf(context.switchToHttp().getRequest<Request>());
  }
}

/** An operation that writes, and the scopes it needs. */
export const Writes = (...scopes: Scope[]): MethodDecorator =>
  applyDecorators(NeedsScope(...scopes), UseGuards(WritesGuard), ApiExtension(WRITES, true));
