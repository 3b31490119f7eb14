// Swagger UI at /docs and the document at /openapi.json.
import type { NestExpressApplication } from '@nestjs/platform-express';
import { SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import type { Express } from 'express';
import { KEY_SCHEME } from './document.js';
import { withLiveExamples, type LiveExamples } from './live-examples.js';
import { withOtherFormats } from './formats.js';

/** So that an operation fits on a screen or two. */
const COMPACT = `
  .swagger-ui .responses-inner .microlight { max-height: 11rem; overflow: auto; padding: 6px; }
  .swagger-ui .response-control-media-type:not(.response-control-media-type--accept-controller),
  .swagger-ui .response-col_links { display: none; }
  .swagger-ui .opblock-body .renderedMarkdown :is(p, ul) { margin: 0.25em 0; }
  .swagger-ui .opblock-body td { padding-top: 6px; }
  .swagger-ui .opblock-body :is(.tab, h4, h5) { margin: 4px 0; }
  .swagger-ui .opblock-body .opblock-section-header { min-height: 0; padding: 4px 20px; }
  .swagger-ui .opblock-body input { margin: 2px 0; padding: 4px 10px; }`;

/** Finds what there is right now; undefined when there is nothing. */
export type FindExamples = () => Promise<LiveExamples | undefined>;

export function serveDocumentation(
  app: NestExpressApplication,
  document: () => OpenAPIObject,
  { demoKey, examples }: { demoKey?: string; examples?: FindExamples },
): void {
  const current = async (one: OpenAPIObject) => {
    const found = await examples?.().catch(() => undefined); // without a database there still is documentation
    return found === undefined ? one : withLiveExamples(one, found, new Date());
  };
  SwaggerModule.setup('docs', app, () => withOtherFormats(document()), {
    raw: false,
    customSiteTitle: 'Tank Monitoring Service',
    customCss: COMPACT,
    // Not persistAuthorization: it would leave keys behind in the browser's local storage.
    swaggerOptions: { displayRequestDuration: true, ...(demoKey !== undefined && authorizedWith(demoKey)) },
    patchDocumentOnRequest: (_request: unknown, _response: unknown, one: OpenAPIObject) => current(one),
  });
  const express: Express = app.getHttpAdapter().getInstance();
  express.get('/openapi.json', async (_request, response) => response.json(await current(document())));
  express.get('/', (_request, response) => response.redirect('/fleet'));
}

function authorizedWith(key: string): object {
  const schema = { type: 'apiKey', in: 'header', name: 'X-API-Key' };
  return { authAction: { [KEY_SCHEME]: { name: KEY_SCHEME, schema, value: key } } };
}
