// Profiles belong to nobody, so a key that is bound to a customer may not change them. Known before the body is read.
import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { Problem } from '../problems/problem.js';

@Injectable()
export class ProfileKeyGuard implements CanActivate {
  canActivate(context: ExecutionContext): true {
    const { caller } = context.switchToHttp().getRequest<Request>();
    if (caller?.customerId === null) return true;
    const detail =
      'This key is bound to a customer, and profiles belong to all: ask your operator to change them.';
    throw new Problem({ status: 403, code: 'bound_key', detail });
  }
}
