// Builds the application, the same way for the service and for its tests.
import { VersioningType } from '@nestjs/common';
import type { CorsOptionsDelegate } from '@nestjs/common/interfaces/external/cors-options.interface.js';
import { ModulesContainer, NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { NextFunction, Request, Response } from 'express';
import { AppModule, type Parts } from './app.module.js';
import type { Config } from './platform/config/config.js';
import { AllowedMethods } from './common/http/allowed-methods.js';
import { Connections } from './common/http/connections.js';
import { compareTagsAlways, createEtag } from './common/http/etag.js';
import { serverLimits, ServiceAdapter } from './common/http/service-adapter.js';
import { listRoutes } from './common/http/routes.js';
import { RequestLifecycle } from './common/http/request-lifecycle.js';
import { Problem } from './common/problems/problem.js';
import { sendProblem } from './common/problems/send-problem.js';
import { NestLogger } from './platform/logging/logger.js';
import { parseQuery } from './common/pagination/parameters.js';
import { serveDocumentation } from './common/openapi/serve-documentation.js';

export async function createService(parts: Parts): Promise<NestExpressApplication> {
  const { config, logger } = parts;
  const adapter = new ServiceAdapter(serverLimits(config));
  const app = await NestFactory.create<NestExpressApplication>(
    AppModule.of(parts),
    adapter,
    // Bodies are read where they are used, after the key was checked.
    { logger: new NestLogger(logger), bodyParser: false, abortOnError: false },
  );
  app.enableVersioning({ type: VersioningType.URI });
  app.disable('x-powered-by');
  app.set('trust proxy', config.trustedProxies);
  app.set('etag', createEtag);
  compareTagsAlways(adapter.getInstance());
  app.set('query parser', parseQuery);
  const lifecycle = app.get(RequestLifecycle);
  adapter.receive = (request, response, answer) => lifecycle.receive(request, response, answer);
  if (parts.demoKey !== undefined) app.use(loopbackOnly);
  enableCors(app, config);
  app.get(AllowedMethods).learn(() => listRoutes(app.get(ModulesContainer), config.ingest.isOn));
  serveDocumentation(app, parts);
  app.get(Connections).watch(app.getHttpServer());
  await app.init();
  return app;
}

/** What pages of other origins may read. Never our own pages: in the demo they contain its key. */
const FOR_OTHER_ORIGINS = /^\/(v1\/|health\/|openapi\.json)/i;

function enableCors(app: NestExpressApplication, { corsOrigins }: Config): void {
  if (corsOrigins.length === 0) return;
  const allowedMethods = app.get(AllowedMethods);
  const options = {
    origin: corsOrigins.includes('*') ? '*' : [...corsOrigins],
    allowedHeaders:
      'X-API-Key,Authorization,X-Request-Id,If-Match,If-None-Match,Content-Type,Content-Encoding',
    exposedHeaders:
      'ETag,Link,Location,Retry-After,RateLimit,RateLimit-Policy,X-Request-Id,X-Total-Items,X-Total-Pages',
    maxAge: 600,
  };
  const decide: CorsOptionsDelegate<Request> = ({ originalUrl, headers }, answer) => {
    // CloudEvents asks by OPTIONS, too, and is answered by the route.
    const isWebhook = headers['webhook-request-origin'] !== undefined;
    if (isWebhook || !FOR_OTHER_ORIGINS.test(originalUrl)) return answer(null, { origin: false });
    answer(null, { ...options, methods: allowedMethods.ofAll() });
  };
  app.enableCors(decide);
}

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/i;

const MISDIRECTED = new Problem({
  status: 421,
  code: 'misdirected_request',
  detail: 'This demo answers to this machine only: ask for it as localhost or 127.0.0.1, with its port.',
});

/**
 * The demo gives its key to whoever can open its pages, which should be this machine's user. Another web site could point a name of its own to
 * this machine (DNS rebinding), and its pages could then read the demo's. So the demo answers to local names only.
 */
function loopbackOnly(request: Request, response: Response, next: NextFunction): void {
  if (LOOPBACK.test(request.headers.host ?? '')) next();
  else sendProblem(MISDIRECTED, request, response);
}
