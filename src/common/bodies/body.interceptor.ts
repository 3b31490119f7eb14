// Reads the body that a handler takes: after the guard, so that nobody without a key makes us read one, and before the pipes, so that the
// handler has a plain @Body().
import { applyDecorators, Inject, Injectable, SetMetadata, UseInterceptors } from '@nestjs/common';
import type { CallHandler, ExecutionContext, NestInterceptor, Type } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { finalize, type Observable } from 'rxjs';
import { CONFIG, type Config } from '../../platform/config/config.js';
import { Admission, SeatedLater } from '../admission/admission.js';
import { allowTime } from '../http/connections.js';
import type { Problem } from '../problems/problem.js';
import { NoParameters } from '../validation/no-parameters.js';
import { InputValidationPipe } from '../validation/validation.pipe.js';
import { expectsBody, requireType, type AcceptedBody } from './content-type.js';
import { mostBytes, readText, type BodyBounds, type LineBounds } from './read-body.js';

export interface BodyRules extends AcceptedBody {
  readonly maxBytes: (config: Config) => number;
  readonly tooLarge: (maxBytes: number) => Problem;
  /** How long a line may be, where the body has lines. */
  readonly line?: (request: Request) => LineBounds | undefined;
  /** What the handler gets of the text. */
  readonly parse: (text: string, request: Request) => unknown;
  /** Makes of that what is checked, where settings decide what is good. */
  readonly prepare?: ((body: unknown, config: Config) => unknown) | undefined;
  /** What it gets without any body; where this is left out, a body is required. */
  readonly without?: object;
  /** From the end of the body, where that is not the usual time. */
  readonly answerWithinMs?: number;
  /** The class of the parameters, which are refused before the body is read. */
  readonly parameters?: Type;
}

const BODY_RULES = 'body rules';

/** A body that took the thread for long keeps its seats for so many times as long again: others' answers come in between. */
const REST = 3;

@Injectable()
export class BodyInterceptor implements NestInterceptor {
  private readonly validation = new InputValidationPipe();

  constructor(
    private readonly reflector: Reflector,
    private readonly admission: Admission,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const request = context.switchToHttp().getRequest<Request>();
    const rules = this.reflector.get<RulesByMethod>(BODY_RULES, context.getHandler())[request.method];
    if (rules === undefined) return next.handle().pipe(finalize(await this.admission.seat(context)));
    const metatype = rules.parameters ?? NoParameters;
    await this.validation.transform(request.query, { type: 'query', metatype });
    if (rules.without !== undefined && !expectsBody(request.headers)) {
      request.body = rules.without;
      return next.handle().pipe(finalize(await this.admission.seat(context)));
    }
    const { isGzip } = requireType(request.headers, rules);
    const bounds = this.boundsOf(request, rules, isGzip);
    const leaveRoom = await this.admission.makeRoom(context, mostBytes(request, bounds));
    let isDone: (() => void) | undefined;
    let workedMs = 0;
    const end = (): void => {
      leaveRoom();
      if (workedMs < 1) isDone?.();
      else setTimeout(() => isDone?.(), REST * workedMs);
    };
    try {
      const text = await this.read(request, context.switchToHttp().getResponse(), rules, bounds);
      isDone = await this.admission.seat(context, { bodyShare: text.length / bounds.maxBytes });
      const began = performance.now();
      try {
        const body = rules.parse(text, request);
        request.body = rules.prepare?.(body, this.config) ?? body;
      } finally {
        workedMs = performance.now() - began;
      }
    } catch (error) {
      end();
      throw error;
    }
    return next.handle().pipe(finalize(end));
  }

  private boundsOf(request: Request, rules: BodyRules, isGzip: boolean): BodyBounds {
    const maxBytes = rules.maxBytes(this.config);
    const { bodyTimeoutMs: timeoutMs } = this.config.ingest;
    return {
      isGzip,
      maxBytes,
      timeoutMs,
      tooLarge: () => rules.tooLarge(maxBytes),
      line: rules.line?.(request),
    };
  }

  /** The answer has its time from the end of the body. */
  private async read(
    request: Request,
    response: Response,
    rules: BodyRules,
    bounds: BodyBounds,
  ): Promise<string> {
    const { answerTimeoutMs } = this.config.ingest;
    allowTime(response, bounds.timeoutMs + answerTimeoutMs);
    const text = await readText(request, bounds);
    allowTime(response, rules.answerWithinMs ?? answerTimeoutMs);
    return text;
  }
}

/** Of a handler, or of several kinds: those of the request's method count. */
type RulesByMethod = Readonly<Partial<Record<string, BodyRules>>>;

export const ReadsBodyByMethod = (rules: RulesByMethod): MethodDecorator =>
  applyDecorators(SetMetadata(BODY_RULES, rules), UseInterceptors(BodyInterceptor), SeatedLater());

export const ReadsBody = (rules: BodyRules): MethodDecorator => ReadsBodyByMethod({ POST: rules });
