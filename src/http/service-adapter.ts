// Nest's Express adapter with an HTTP server of ours: its bounds are options of `createServer()`, and each request passes the edge
// before Express sees it. Whoever writes ordinary Nest notices nothing of it.
import { ExpressAdapter } from '@nestjs/platform-express';
import type { Express, Request, Response } from 'express';
import { createServer, type ServerOptions } from 'node:http';
import { withPrototypesAtBirth } from './prototypes-at-birth.js';

/** True: the request has its answer, and goes no further. */
type Receiver = (request: Request, response: Response) => boolean;

export class ServiceAdapter extends ExpressAdapter {
  private receive: Receiver = () => false;

  constructor(private readonly serverOptions: ServerOptions = {}) {
    super();
  }

  /** Calls this with every request before Express sees it: a layer of Express's chain costs more than what happens in it. */
  receiveWith(receive: Receiver): void {
    this.receive = receive;
  }

  override initHttpServer(): void {
    const app = this.getInstance<Express>();
    const options = { ...this.serverOptions, ...withPrototypesAtBirth(app) };
    this.httpServer = createServer(options, (request, response) => {
      if (request.url?.startsWith('/') !== true) request.url = pathOf(request.url ?? '');
      // Express does this, too; the edge may answer before it. With prototypes at birth it changes nothing.
      Object.setPrototypeOf(request, app.request);
      Object.setPrototypeOf(response, app.response);
      if (this.receive(request as unknown as Request, response as unknown as Response)) return;
      app(request, response);
    });
  }
}

/** A target may be a whole URL, as proxies send it, or no path at all; Express's router only knows paths. */
function pathOf(target: string): string {
  if (!URL.canParse(target)) return `/${target}`;
  const { pathname, search } = new URL(target);
  return `${pathname.startsWith('/') ? '' : '/'}${pathname}${search}`;
}
