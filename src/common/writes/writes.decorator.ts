// @Writes(): what a handler that changes something needs: its scopes, its body, and its WriteResult as the answer.
import { applyDecorators, Inject, Injectable, SetMetadata, UseGuards, UseInterceptors } from '@nestjs/common';
import type { CallHandler, CanActivate, ExecutionContext, NestInterceptor } from '@nestjs/common';
import { ApiExtension } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { map, type Observable } from 'rxjs';
import { CONFIG, type Config } from '../../platform/config/config.js';
import { NEEDS_INGEST, NeedsScope, type NeededScope } from '../auth/caller.js';
import type { Scope } from '../auth/scope.js';
import { ReadsBodyByMethod, type BodyRules } from '../bodies/body.interceptor.js';
import { AllowedMethods } from '../http/allowed-methods.js';
import { createEtag } from '../http/etag.js';
import type { WriteResult } from './recorded-writes.js';
import { CREATED_OBJECT, MERGED_OBJECT, PUT_OBJECT } from './object-body.js';

/** Marks such an operation until the document is complete. */
export const WRITES = 'x-writes';

/** INGEST=off: what writes is answered as if it were not there, and the OpenAPI document leaves it out. */
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

/** The object as it is now, with 201 where it is new or a PUT has restored it, and for a POST its address. */
@Injectable()
class WriteResultInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler<WriteResult<object>>): Observable<object> {
    const { path, method } = context.switchToHttp().getRequest<Request>();
    const response = context.switchToHttp().getResponse<Response>();
    return next.handle().pipe(
      map(({ object, change, tagged, location, isNew: isNewPart = false }) => {
        const isRestored = change?.operation === 'restore' && method === 'PUT';
        const isNew = isNewPart || isRestored || change?.operation === 'create';
        response.status(isNew ? 201 : 200);
        if (tagged !== undefined) response.setHeader('ETag', createEtag(JSON.stringify(tagged)));
        if (location !== undefined) response.location(location);
        else if (method === 'POST' && isNew && 'id' in object)
          response.location(`${path.replace(/\/$/, '')}/${String(object.id)}`);
        return object;
      }),
    );
  }
}

/** Leaves out a handler, or all of a controller, with INGEST=off. */
export const OnlyWithIngest = () => applyDecorators(SetMetadata(NEEDS_INGEST, true), UseGuards(WritesGuard));

/** Whatever it reads and answers: its scopes, and that INGEST=off leaves it out. */
export const NeedsIngest = (...scopes: NeededScope[]): MethodDecorator =>
  applyDecorators(NeedsScope(...scopes), OnlyWithIngest(), ApiExtension(WRITES, true));

/** Of an action: it may be left out. */
export const OPTIONAL_BODY = { without: {} } satisfies Partial<BodyRules>;

/** A body of JSON as the method wants it, but for what `body` says. */
export function Writes(scopes: Scope | readonly Scope[], body: Partial<BodyRules> = {}): MethodDecorator {
  return applyDecorators(
    NeedsIngest(...[scopes].flat()),
    UseInterceptors(WriteResultInterceptor),
    ReadsBodyByMethod({
      POST: { ...CREATED_OBJECT, ...body },
      PUT: { ...PUT_OBJECT, ...body },
      PATCH: { ...MERGED_OBJECT, ...body },
    }),
  );
}
