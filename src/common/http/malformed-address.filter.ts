// An address that is not percent-encoded UTF-8: Express refuses it before any route, so before the guard. The key comes first here, too.
import { BadRequestException, Catch, Inject, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { Request } from 'express';
import { CallerCheck } from '../auth/caller-check.js';
import { LOGGER, type Logger } from '../../platform/logging/logger.js';
import { badRequest } from '../problems/problem.js';
import { ProblemFilter } from '../problems/problem.filter.js';

const MALFORMED = badRequest(
  'malformed_url',
  'The address is not valid percent-encoded UTF-8; write a percent sign as %25.',
);

@Catch(BadRequestException)
export class MalformedAddressFilter implements ExceptionFilter {
  private readonly problems: ProblemFilter;

  constructor(
    @Inject(LOGGER) logger: Logger,
    private readonly check: CallerCheck,
  ) {
    this.problems = new ProblemFilter(logger);
  }

  async catch(error: BadRequestException, host: ArgumentsHost): Promise<void> {
    if (!(error.cause instanceof URIError)) return this.problems.answer(error, host);
    const http = host.switchToHttp();
    const request = http.getRequest<Request>();
    try {
      request.caller = await this.check.recognize(request, http.getResponse());
      this.problems.answer(MALFORMED, host);
    } catch (refusal) {
      this.problems.answer(refusal, host);
    }
  }
}
