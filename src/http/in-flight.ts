// The responses that are being worked on, so that a service that stops can tell their callers to close the connection.
import type { RequestHandler, Response } from 'express';

export class InFlight {
  private readonly responses = new Set<Response>();
  private closing = false;

  readonly track: RequestHandler = (_request, response, next) => {
    if (this.closing) response.setHeader('Connection', 'close');
    this.responses.add(response);
    response.once('close', () => this.responses.delete(response));
    next();
  };

  /** From now on every answer, those under way included, is the last one on its connection. */
  closeConnections(): void {
    this.closing = true;
    for (const response of this.responses) {
      if (!response.headersSent) response.setHeader('Connection', 'close');
    }
  }
}
