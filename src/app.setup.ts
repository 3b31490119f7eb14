// What main and the tests both do to an application, so that they cannot differ.
import { VersioningType } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { SwaggerModule } from '@nestjs/swagger';
import type { Express, Request, Response } from 'express';
import { AppModule, type Parts } from './app.module.js';
import type { Config } from './config/config.js';
import { InFlight } from './http/in-flight.js';
import { boundServer, serverOptions } from './http/http-server.js';
import { LeanExpressAdapter } from './http/lean-express-adapter.js';
import { answerInTime } from './http/deadline.js';
import { assignRequestId } from './http/request-id.js';
import { observeRequests } from './http/request-log.js';
import { securityHeaders } from './http/security-headers.js';
import { divertMalformedUrl } from './http/unmatched.controller.js';
import { NestLogger } from './logging/logger.js';
import { Metrics } from './metrics/metrics.js';
import { buildDocument, KEY_SCHEME } from './openapi/document.js';

export interface ServiceParts extends Parts {
  /** In the demo, Swagger UI is already authorized with this key. */
  readonly demoKey?: string;
}

export async function createService(parts: ServiceParts): Promise<NestExpressApplication> {
  const { config, logger } = parts;
  const app = await NestFactory.create<NestExpressApplication>(
    AppModule.of(parts),
    new LeanExpressAdapter(serverOptions(config)),
    // Bodies are read by the lists alone, after the key was checked.
    { logger: new NestLogger(logger), bodyParser: false, abortOnError: false },
  );
  app.enableVersioning({ type: VersioningType.URI });
  app.disable('x-powered-by');
  app.set('trust proxy', config.trustedProxies);
  app.use(
    app.get(InFlight).track,
    assignRequestId,
    observeRequests(logger, app.get(Metrics)),
    securityHeaders,
    preventCaching,
    answerInTime(config),
    divertMalformedUrl,
  );
  enableCors(app, config);
  serveDocumentation(app, parts.demoKey);
  boundServer(app, config);
  await app.init();
  return app;
}

/** Answers may be kept, but must be asked about again (with their ETag) before they are used. */
function preventCaching(_request: Request, response: Response, next: () => void): void {
  response.setHeader('Cache-Control', 'private, no-cache');
  next();
}

function enableCors(app: NestExpressApplication, { corsOrigins }: Config): void {
  if (corsOrigins.length === 0) return;
  app.enableCors({
    origin: corsOrigins.includes('*') ? '*' : [...corsOrigins],
    methods: ['GET', 'HEAD', 'OPTIONS'],
    allowedHeaders: ['X-API-Key', 'X-Request-Id', 'If-None-Match'],
    exposedHeaders: ['ETag', 'Link', 'Retry-After', 'RateLimit', 'RateLimit-Policy', 'X-Request-Id'],
    maxAge: 600,
  });
}

function serveDocumentation(app: NestExpressApplication, demoKey: string | undefined): void {
  const authAction =
    demoKey === undefined
      ? {}
      : {
          authAction: {
            [KEY_SCHEME]: {
              name: KEY_SCHEME,
              schema: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
              value: demoKey,
            },
          },
        };
  SwaggerModule.setup('docs', app, buildDocument(app), {
    jsonDocumentUrl: 'openapi.json',
    customSiteTitle: 'Tank Monitoring Service',
    swaggerOptions: { persistAuthorization: true, displayRequestDuration: true, ...authAction },
  });
  const express: Express = app.getHttpAdapter().getInstance();
  express.get('/', (_request, response) => response.redirect('/docs'));
}
