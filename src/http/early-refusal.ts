// A departure from stock, for speed. A request for the API whose key is missing, malformed or known to be unknown is refused
// before Express and Nest see it, so that a flood of them costs callers with a key as little as can be. The guard would refuse
// them as well, in the same words: it is what protects the routes.
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { ExpressAdapter } from '@nestjs/platform-express';
import type { Express, Request, Response } from 'express';
import { pathToRegexp } from 'path-to-regexp';
import { ApiKeysService } from '../auth/api-keys.service.js';
import { KeyRefusals } from '../auth/key-refusals.js';
import { CONFIG } from '../config/config.module.js';
import type { Config } from '../config/config.js';
import type { Problem } from '../problems/problem.js';
import { sendProblem } from '../problems/send-problem.js';

/** Nothing below it is open to everyone. */
const API = '/v1/';

interface Template {
  readonly path: string;
  readonly pattern: RegExp;
}

@Injectable()
export class EarlyRefusal implements OnApplicationBootstrap {
  private templates: readonly Template[] = [];
  private readonly hasCors: boolean;

  constructor(
    private readonly keys: ApiKeysService,
    private readonly refusals: KeyRefusals,
    private readonly adapterHost: HttpAdapterHost<ExpressAdapter>,
    @Inject(CONFIG) config: Config,
  ) {
    this.hasCors = config.corsOrigins.length > 0;
  }

  onApplicationBootstrap(): void {
    const { router } = this.adapterHost.httpAdapter.getInstance<Express>();
    const paths = router.stack.flatMap(({ route }) =>
      route?.path.startsWith(API) === true ? route.path : [],
    );
    this.templates = [...new Set(paths)].map((path) => ({ path, pattern: pathToRegexp(path).regexp }));
  }

  /** True when the request has its answer, or will have it. */
  refuses(request: Request, response: Response): boolean {
    if (!request.url.startsWith(API)) return false;
    const key = request.headers['x-api-key'];
    const isMissing = typeof key !== 'string' || key === '';
    if (!isMissing && !this.keys.isHopeless(key)) return false;
    // A browser is told by other layers whether it may read the answer.
    if (this.hasCors && request.headers.origin !== undefined) return false;
    const problem = this.refusals.count(isMissing ? 'missing' : 'invalid', request, response);
    if (problem instanceof Promise) void problem.then((told) => this.send(told, request, response));
    else this.send(problem, request, response);
    return true;
  }

  private send(problem: Problem, request: Request, response: Response): void {
    if (response.headersSent) return; // by the deadline, while the limits were asked for
    request.route = this.templateOf(request.url); // for its log line and metric
    sendProblem(problem, request, response);
  }

  private templateOf(url: string): Template | undefined {
    const path = url.split('?', 1)[0] ?? '';
    return this.templates.find(({ pattern }) => pattern.test(path));
  }
}
