// Builds the application, the same way for the service and for its tests.
import { VersioningType } from '@nestjs/common';
import type { CorsOptionsDelegate } from '@nestjs/common/interfaces/external/cors-options.interface.js';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { OpenAPIObject } from '@nestjs/swagger';
import type { Request } from 'express';
import { AppModule, type Parts } from './app.module.js';
import type { Config } from './platform/config/config.js';
import { AllowedMethods } from './common/http/allowed-methods.js';
import { limitServer, serverOptions } from './common/http/http-server.js';
import { compareTagsAlways, etagOf } from './common/http/etag.js';
import { loopbackOnly } from './common/http/loopback-only.js';
import { ServiceAdapter } from './common/http/service-adapter.js';
import { RequestEdge } from './common/http/request-edge.js';
import { followHandlers } from './common/http/trails-of-handlers.js';
import { NestLogger } from './platform/logging/logger.js';
import { parseQuery } from './common/pagination/parameters.js';
import { buildDocument } from './common/openapi/document.js';
import { serveDocumentation } from './common/openapi/serve-documentation.js';

export async function createService(parts: Parts): Promise<NestExpressApplication> {
  const { config, logger } = parts;
  const adapter = new ServiceAdapter(serverOptions(config));
  const app = await NestFactory.create<NestExpressApplication>(
    AppModule.of(parts),
    adapter,
    // Bodies are read where they are used, after the key was checked.
    { logger: new NestLogger(logger), bodyParser: false, abortOnError: false },
  );
  app.enableVersioning({ type: VersioningType.URI });
  app.disable('x-powered-by');
  app.set('trust proxy', config.trustedProxies);
  app.set('etag', etagOf);
  compareTagsAlways(adapter.getInstance());
  app.set('query parser', parseQuery);
  const edge = app.get(RequestEdge);
  adapter.receive = (request, response) => edge.receive(request, response);
  if (parts.demoKey !== undefined) app.use(loopbackOnly);
  enableCors(app, config);
  let built: OpenAPIObject | undefined;
  const document = (): OpenAPIObject => (built ??= buildDocument(app, config.ingest.isOn)); // when it is first asked for: it takes a tenth of a second
  app.get(AllowedMethods).learn(() => document().paths);
  serveDocumentation(app, document, parts);
  followHandlers(app);
  limitServer(app, config);
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
