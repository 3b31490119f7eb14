// Swagger UI at /docs and the document at /openapi.json. They are the same for everybody, so they are made when they are first asked for, and
// kept; Nest's own SwaggerModule.setup() writes, hashes and compresses its megabytes again for every request. Only the demo, which is open to
// its machine alone, makes them anew: their examples are of now.
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { OpenAPIObject } from '@nestjs/swagger';
import type { Express } from 'express';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { extname } from 'node:path';
import type { Config } from '../../platform/config/config.js';
import { PublicFile } from '../http/public-file.js';
import { buildDocument, KEY_SCHEME } from './document.js';
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
  .swagger-ui .opblock-body input { margin: 2px 0; padding: 4px 10px; }
  .swagger-ui .topbar .download-url-wrapper { display: none }`;

/** The files of the package `swagger-ui-dist` that the page asks for. */
const FILES = [
  'favicon-16x16.png',
  'favicon-32x32.png',
  'swagger-ui-bundle.js',
  'swagger-ui-standalone-preset.js',
  'swagger-ui.css',
];

/** Its links hold below any prefix a proxy may add. */
const PAGE = `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <title>Tank Monitoring Service</title>
  <link rel="stylesheet" href="docs/swagger-ui.css">
  <link rel="icon" type="image/png" href="docs/favicon-32x32.png" sizes="32x32">
  <link rel="icon" type="image/png" href="docs/favicon-16x16.png" sizes="16x16">
  <style>
  body { margin: 0; background: #fafafa; }${COMPACT}
  </style>
</head>
<body>
  <div id="swagger-ui"></div>
  <script src="docs/swagger-ui-bundle.js"></script>
  <script src="docs/swagger-ui-standalone-preset.js"></script>
  <script src="docs/swagger-ui-init.js"></script>
</body>
</html>
`;

/** Finds what there is right now; undefined when there is nothing. */
export type FindExamples = () => Promise<LiveExamples | undefined>;

interface Documented {
  readonly config: Config;
  readonly demoKey?: string;
  readonly examples?: FindExamples;
}

type Make = () => Promise<PublicFile>;

export function serveDocumentation(
  app: NestExpressApplication,
  { config, demoKey, examples }: Documented,
): void {
  const express: Express = app.getHttpAdapter().getInstance();
  const serve = (path: string, make: Make): void => {
    express.get(path, async (request, response) => (await make()).send(request, response));
  };
  let built: OpenAPIObject | undefined;
  const document = (): OpenAPIObject => (built ??= buildDocument(app, config.ingest.isOn)); // takes a tenth of a second
  const live = async (one: OpenAPIObject): Promise<OpenAPIObject> => {
    const found = await examples?.().catch(() => undefined); // without a database there still is documentation
    return found === undefined ? one : withLiveExamples(one, found, new Date());
  };
  const ofDocument = (make: Make): Make => (examples === undefined ? once(make) : make);

  serve(
    '/openapi.json',
    ofDocument(async () => new PublicFile(JSON.stringify(await live(document())), 'json')),
  );
  serve(
    '/docs/swagger-ui-init.js',
    ofDocument(
      async () => new PublicFile(startScript(await live(withOtherFormats(document())), demoKey), 'js'),
    ),
  );
  const page = once(async () => new PublicFile(PAGE, 'html'));
  express.get(['/docs', '/docs/index.html'], async (request, response) => {
    if (request.path.toLowerCase() === '/docs') await (await page()).send(request, response);
    else response.redirect('../docs');
  });
  const { resolve } = createRequire(import.meta.url);
  for (const name of FILES)
    serve(
      `/docs/${name}`,
      once(async () => new PublicFile(await readFile(resolve(`swagger-ui-dist/${name}`)), extname(name))),
    );
  express.get('/', (_request, response) => response.redirect('/fleet'));
}

/** A file that cannot be read is read again for the next request. */
function once(make: Make): Make {
  let made: Promise<PublicFile> | undefined;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}

/** Not persistAuthorization: it would leave keys behind in the browser's local storage. */
function startScript(document: OpenAPIObject, demoKey: string | undefined): string {
  return `window.onload = () => {
  window.ui = SwaggerUIBundle({
    spec: ${JSON.stringify(document)},
    dom_id: '#swagger-ui',
    deepLinking: true,
    displayRequestDuration: true,
    presets: [SwaggerUIBundle.presets.apis, SwaggerUIStandalonePreset],
    layout: 'StandaloneLayout',
  });
  ${demoKey === undefined ? '' : `window.ui.authActions.authorize(${JSON.stringify(authorizedWith(demoKey))});`}
};
`;
}

function authorizedWith(key: string): object {
  const schema = { type: 'apiKey', in: 'header', name: 'X-API-Key' };
  return { [KEY_SCHEME]: { name: KEY_SCHEME, schema, value: key } };
}
