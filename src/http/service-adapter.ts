// Nest's Express adapter with an HTTP server of ours: its bounds are options of `createServer()`, the requests of one connection are
// answered one at a time, and each passes the edge before Express sees it. Whoever writes ordinary Nest notices nothing of it.
import { ExpressAdapter } from '@nestjs/platform-express';
import type { Express, Request, Response } from 'express';
import { createServer, type ServerOptions } from 'node:http';
import { PipelineQueue } from './pipeline-queue.js';
import { withPrototypesAtBirth } from './prototypes-at-birth.js';

type Receiver = (request: Request, response: Response) => void;

export class ServiceAdapter extends ExpressAdapter {
  /** Is called with every request before Express sees it: a layer of Express's chain costs more than what happens in it. */
  receive: Receiver = () => undefined;

  constructor(private readonly serverOptions: ServerOptions = {}) {
    super();
  }

  override initHttpServer(): void {
    const app = this.getInstance<Express>();
    const options = { ...this.serverOptions, ...withPrototypesAtBirth(app) };
    const answer = (request: Request, response: Response): void => {
      this.receive(request, response);
      app(request, response);
    };
    this.httpServer = createServer(options, (request, response) => {
      if (request.url?.startsWith('/') !== true) request.url = pathOf(request.url ?? '');
      PipelineQueue.of(request.socket).add(response as unknown as Response, answer);
    });
  }
}

/** A target may be a whole URL, as proxies send it, or no path at all; Express's router only knows paths. */
function pathOf(target: string): string {
  if (!URL.canParse(target)) return `/${target}`;
  const { pathname, search } = new URL(target);
  return `${pathname.startsWith('/') ? '' : '/'}${pathname}${search}`;
}
