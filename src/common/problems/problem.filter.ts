// Every error is answered here: as application/problem+json, with the request's id, and without internal details.
import { BadRequestException, Catch, HttpException, Inject } from '@nestjs/common';
import type { ArgumentsHost, ExceptionFilter } from '@nestjs/common';
import type { Request, Response } from 'express';
import { DatabaseOverloaded, DatabaseUnavailable } from '../../platform/database/failures.js';
import { LOGGER, type Logger } from '../../platform/logging/logger.js';
import { CallerCheck } from '../auth/caller-check.js';
import {
  badRequest,
  databaseUnavailable,
  internalError,
  overloaded,
  Problem,
  unknownAddress,
  type ProblemCode,
} from './problem.js';
import { sendProblem } from './send-problem.js';

const PROBED: ReadonlySet<ProblemCode> = new Set(['shutting_down', 'not_ready'] as const);

const MALFORMED_ADDRESS = badRequest(
  'malformed_url',
  'The address is not valid percent-encoded UTF-8; write a percent sign as %25.',
);

@Catch()
export class ProblemFilter implements ExceptionFilter {
  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly check: CallerCheck,
  ) {}

  catch(error: unknown, host: ArgumentsHost): void | Promise<void> {
    const http = host.switchToHttp();
    const request = http.getRequest<Request>();
    const response = http.getResponse<Response>();
    const isMalformed = error instanceof BadRequestException && error.cause instanceof URIError;
    return isMalformed ? this.refuseAddress(request, response) : this.answer(error, request, response);
  }

  /** Express refuses such an address before any route, so before the guard. The key comes first here, too. */
  private async refuseAddress(request: Request, response: Response): Promise<void> {
    try {
      request.caller = await this.check.authenticate(request, response);
      this.answer(MALFORMED_ADDRESS, request, response);
    } catch (refusal) {
      this.answer(refusal, request, response);
    }
  }

  private answer(error: unknown, request: Request, response: Response): void {
    if (response.writableEnded) return this.logLate(error, request);
    const problem = asProblem(error);
    this.log(problem, request);
    if (response.headersSent) {
      response.destroy();
      return;
    }
    // What the success had already set would describe a body that is not sent.
    for (const name of ['Link', 'ETag', 'Last-Modified']) response.removeHeader(name);
    sendProblem(problem, request, response);
  }

  private log(problem: Problem, { requestId, span }: Request): void {
    const facts = { request_id: requestId, trace_id: span?.traceId, code: problem.code };
    // A probe asked for it; why the instance is not ready is logged elsewhere.
    if (PROBED.has(problem.code)) this.logger.info(facts, problem.message);
    else if (problem.status >= 500) this.logger.error({ ...facts, err: problem.cause ?? problem });
  }

  /** The request was answered already, when its time was over; this is what it had waited for. */
  private logLate(error: unknown, { requestId, span }: Request): void {
    const cause = error instanceof Problem ? (error.cause ?? error) : error;
    // Its result could not be sent any more.
    if (cause instanceof Error && 'code' in cause && cause.code === 'ERR_HTTP_HEADERS_SENT') return;
    this.logger.warn(
      { request_id: requestId, trace_id: span?.traceId, err: cause },
      'a request that was answered already failed later',
    );
  }
}

function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof DatabaseOverloaded) return overloaded();
  if (error instanceof DatabaseUnavailable) return databaseUnavailable(error.cause);
  const status = findStatus(error);
  if (status === 404) return unknownAddress();
  if (status >= 400 && status < 500) return badRequest('bad_request', 'The request could not be understood.');
  return internalError(error);
}

/** Nest's exceptions and those of Express's own middleware both carry a status. */
function findStatus(error: unknown): number {
  if (error instanceof HttpException) return error.getStatus();
  if (error instanceof URIError) return 400;
  return error instanceof Error && 'status' in error && typeof error.status === 'number' ? error.status : 500;
}
