// @NoStore(): the answer is for the one who asked, and once: no cache keeps it, and no ETag, which Express gives every answer, names it.
import { applyDecorators, Header, Injectable, UseInterceptors } from '@nestjs/common';
import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import type { Response } from 'express';
import onHeaders from 'on-headers';
import type { Observable } from 'rxjs';

@Injectable()
export class NoStoreInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const response = context.switchToHttp().getResponse<Response>();
    onHeaders(response, () => response.removeHeader('ETag'));
    return next.handle();
  }
}

export const NoStore = (): MethodDecorator =>
  applyDecorators(Header('Cache-Control', 'no-store'), UseInterceptors(NoStoreInterceptor));

/** By itself: Express's own send() would name it by an ETag and compare that. */
export function sendWithoutStoring(response: Response, json: Buffer): void {
  if (response.closed || response.writableEnded) return; // the client has left, or its time was over
  response.setHeader('Cache-Control', 'no-store');
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.setHeader('Content-Length', json.length);
  response.end(json);
}
