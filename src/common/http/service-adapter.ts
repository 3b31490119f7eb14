// Nest's Express adapter with an HTTP server of ours: its limits are options of `createServer()`, and each request passes the edge
// before Express sees it. Otherwise it is stock (stock-nest.spec.ts).
import { ExpressAdapter } from '@nestjs/platform-express';
import type { Express, Request, Response } from 'express';
import { createServer, type ServerOptions } from 'node:http';
import { unknownAddress } from '../problems/problem.js';
import { sendProblem } from '../problems/send-problem.js';
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
    const answer = (request: Request, response: Response): void => {
      if (request.socket.destroyed) return; // Node goes on with what it has read of the connection
      this.receive(request, response);
      if (request.socket.destroyed) return;
      // Express has no route for a target without a path, such as http://, and would answer in HTML.
      app(request, response, () => sendProblem(unknownAddress(), request, response));
    };
    const options = { ...this.serverOptions, ...withPrototypesAtBirth(app) };
    this.httpServer = createServer(options, (request, response) =>
      answer(request as unknown as Request, response as unknown as Response),
    );
  }
}
