// Makes the answer of a change: the object as it is now, with 201 where it is new or a PUT has restored it, and for a POST its address.
import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import type { Request, Response } from 'express';
import { map, type Observable } from 'rxjs';
import { etagOf } from '../http/etag.js';
import type { WriteResult } from './managed-writes.js';

@Injectable()
export class WrittenInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler<WriteResult<object>>): Observable<object> {
    const { path, method } = context.switchToHttp().getRequest<Request>();
    const response = context.switchToHttp().getResponse<Response>();
    return next.handle().pipe(
      map(({ object, change, tagged, location, isNew: isNewPart = false }) => {
        const isRestored = change?.operation === 'restore' && method === 'PUT';
        const isNew = isNewPart || isRestored || change?.operation === 'create';
        response.status(isNew ? 201 : 200);
        if (tagged !== undefined) response.setHeader('ETag', etagOf(JSON.stringify(tagged)));
        if (location !== undefined) response.location(location);
        else if (method === 'POST' && isNew && 'id' in object)
          response.location(`${path}/${String(object.id)}`);
        return object;
      }),
    );
  }
}
