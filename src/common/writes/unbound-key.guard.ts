// A key that is bound to a customer may PUT that one, but creates and deletes none, whatever the id, and changes no profile: profiles
// belong to all. Known before the body is read.
import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { boundKey } from './problems.js';

@Injectable()
export class UnboundKeyGuard implements CanActivate {
  canActivate(context: ExecutionContext): true {
    const { caller, method, path, params } = context.switchToHttp().getRequest<Request>();
    const boundTo = caller?.customerId ?? null;
    const isOwn = /^\/v1\/customers\//i.test(path) && params['id'] === boundTo;
    if (boundTo === null || (method === 'PUT' && isOwn)) return true;
    throw boundKey();
  }
}
