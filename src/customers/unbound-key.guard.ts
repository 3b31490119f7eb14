// A key that is bound to a customer creates and deletes none, whatever the id; it may PUT its own. Known before the body is read.
import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { boundKey } from '../manage/problems.js';

@Injectable()
export class UnboundKeyGuard implements CanActivate {
  canActivate(context: ExecutionContext): true {
    const { caller, method, params } = context.switchToHttp().getRequest<Request>();
    const boundTo = caller?.customerId ?? null;
    if (boundTo === null || (method === 'PUT' && params['id'] === boundTo)) return true;
    throw boundKey();
  }
}
