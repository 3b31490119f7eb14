// Nest's Express adapter with a leaner way in and out; what callers see stays the same.
// In: Express replaces the prototype of every request and response by its own, which costs V8 its inline caches for the
// rest of the request. Here the HTTP server makes them with Express's prototypes from the start, so that the replacement
// changes nothing. Out: headers that are the same for every answer are written as text, and JSON leaves in one write.
import { StreamableFile } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { Express, Request as ExpressRequest, Response as ExpressResponse } from 'express';
import { createServer, IncomingMessage, ServerResponse, type ServerOptions } from 'node:http';
import { etagOf } from './etag.js';

declare global {
  namespace Express {
    interface Response {
      /** Header lines, each with its CRLF, that need none of the checks of setHeader(). */
      headerLines: string;
    }
  }
}

type Receiver = (request: ExpressRequest, response: ExpressResponse) => void;

export class LeanExpressAdapter extends ExpressAdapter {
  private receive: Receiver = () => undefined;

  constructor(private readonly serverOptions: ServerOptions = {}) {
    super();
    // Nest's own first layer, for hooks that nothing here uses.
    this.getInstance<Express>().router.stack.length = 0;
  }

  /** Calls this with every request before Express sees it: a layer of Express's chain costs more than what happens in it. */
  receiveWith(receive: Receiver): void {
    this.receive = receive;
  }

  override initHttpServer(): void {
    const app = this.getInstance<Express>();
    class Request extends IncomingMessage {}
    class Response<Asked extends IncomingMessage = IncomingMessage> extends ServerResponse<Asked> {
      headerLines = '';

      /** Node's own, undocumented: the only place where lines can join a head without being taken apart again. */
      _storeHeader(statusLine: string, headers: unknown): void {
        // oxlint-disable-next-line no-underscore-dangle -- its name
        NODE_RESPONSE._storeHeader.call(this, statusLine + this.headerLines, headers);
      }
    }
    app.request = derive(Request.prototype, app.request);
    app.response = derive(Response.prototype, app.response);
    const options = { ...this.serverOptions, IncomingMessage: Request, ServerResponse: Response };
    this.httpServer = createServer(options, (request, response) => {
      if (request.url?.startsWith('/') !== true) request.url = pathOf(request.url ?? '');
      const whole = request as unknown as ExpressRequest; // made with Express's prototypes
      this.receive(whole, response as unknown as ExpressResponse);
      app(request, response);
    });
  }

  /** An object leaves as Express's json() would send it; all else is left to Express. */
  override reply(response: ExpressResponse, body: unknown, statusCode?: number): unknown {
    if (typeof body !== 'object' || body === null || body instanceof StreamableFile) {
      return super.reply(response, body, statusCode);
    }
    if (statusCode !== undefined) response.statusCode = statusCode;
    const text = JSON.stringify(body);
    if (isRead(response.req.method)) response.setHeader('ETag', etagOf(text));
    if (response.req.fresh) {
      response.statusCode = 304;
      return response.end();
    }
    response.setHeader('Content-Type', 'application/json; charset=utf-8');
    response.setHeader('Content-Length', Buffer.byteLength(text));
    return response.req.method === 'HEAD' ? response.end() : response.end(text);
  }
}

/** What became of a write is no state that could be asked about again. */
function isRead(method: string): boolean {
  return method === 'GET' || method === 'HEAD';
}

const NODE_RESPONSE = ServerResponse.prototype as ServerResponse & {
  _storeHeader(statusLine: string, headers: unknown): void;
};

/** Makes what Express gives its requests (or responses) part of the class's own prototype, and that Express's. */
function derive<T extends object>(prototype: object, expressPrototype: T): T {
  return Object.setPrototypeOf(prototype, expressPrototype) as T;
}

/** A target may be a whole URL, as proxies send it, or no path at all; Express's router only knows paths. */
function pathOf(target: string): string {
  if (!URL.canParse(target)) return `/${target}`;
  const { pathname, search } = new URL(target);
  return `${pathname.startsWith('/') ? '' : '/'}${pathname}${search}`;
}
