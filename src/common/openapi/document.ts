// The OpenAPI document, built from the controllers.
import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { ProblemResponse } from '../problems/dto/problem.response.js';
import { VERSION } from '../../platform/config/project.js';
import { WRITES } from '../writes/writes.decorator.js';
import { SCHEMAS, WEBHOOKS } from './beside-controllers.js';
import { addRowExamples, listOperations } from './formats.js';
import { addPatchSchemas } from './patch-schemas.js';

export const KEY_SCHEME = 'ApiKey';

const KEY = 'Your API key, `prefix.secret`';

/** While requests are limited; of every answer to a caller with a key. */
const LIMIT_HEADERS = {
  RateLimit: {
    description:
      'What is left of the limit: `r` requests, and `t` seconds until there are all again. Only while requests are limited.',
    schema: { type: 'string' as const },
    example: '"default";r=87;t=12',
  },
  'RateLimit-Policy': {
    description: 'The limit: `q` requests in `w` seconds. Only while requests are limited.',
    schema: { type: 'string' as const },
    example: '"default";q=100;w=60',
  },
};

const LIMITS = Object.fromEntries(
  Object.keys(LIMIT_HEADERS).map((name) => [name, { $ref: `#/components/headers/${name}` }]),
);

const DESCRIPTION = `
Who the customers are, which tanks they own, and how full each tank is and was.

Every request carries an API key in the \`X-API-Key\` header, or in \`Authorization\` as a bearer token or as the password of Basic; on this service's own pages, the session of whoever signed in will do. Reading needs a key with the scope \`read\`, writing one that its
operation names. Lists have exact
totals and are sorted by creation date, newest first; only the fleet has its own order. Errors are \`application/problem+json\` and say how
to fix the call.`.trim();

/** `hasWrites`: also what writes. */
export function buildDocument(app: INestApplication, hasWrites = true): OpenAPIObject {
  const outline = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0') // in which null is a type like any other
    .setTitle('Tank Monitoring Service')
    .setDescription(DESCRIPTION)
    .setVersion(VERSION)
    .setLicense('MIT', 'https://opensource.org/license/mit')
    .addServer('/', 'This server')
    .addTag('Customers', 'Account holders who own tanks.')
    .addTag('Tanks', 'Containers with a capacity, a location and a device.')
    .addTag('Telemetry', 'The fill readings of one tank.')
    .addTag('Fleet', 'What is known of each tank now.')
    .addTag(
      'Events',
      'What happened to tanks: they ran low, recovered, were refilled, fell silent or reported again.',
    )
    .addTag('Forecasts', 'When tanks reach their alert and are empty, and how often that was right.')
    .addTag('Recipients', 'Who is told by e-mail: about low and silent tanks, and once a day what needs gas.')
    .addTag('Runs', 'The days of trucks: their stops, what was delivered, and what sensors saw of it.')
    .addTag('Changes', 'Everything that changes, in order, to keep a copy elsewhere.')
    .addTag('Activity', 'Who changed what.')
    .addTag('Sensors', 'Uplinks of network servers, the kinds of sensors, and the sensor of each tank.')
    .addTag('Webhooks', 'Where events are sent to, and what became of each delivery.')
    .addTag('Key', 'Who you are, and what your own key is and may do.')
    .addTag('Keys', 'API keys: who may use the service, and for what.')
    .addTag('Users', 'People who have signed in, and their roles.')
    .addTag('Health', 'Probes for operators; no key needed.')
    .addApiKey({ type: 'apiKey', in: 'header', name: 'X-API-Key', description: `${KEY}.` }, KEY_SCHEME)
    .addBearerAuth({ type: 'http', scheme: 'bearer', description: `${KEY}.` }, 'Bearer')
    .addBasicAuth(
      { type: 'http', scheme: 'basic', description: `${KEY}, as the password; any user.` },
      'Basic',
    )
    .addSecurityRequirements(KEY_SCHEME)
    .addSecurityRequirements('Bearer')
    .addSecurityRequirements('Basic')
    .build();
  const whole = {
    ...outline,
    info: { ...outline.info, contact: { name: 'The operator of this server' } },
    webhooks: WEBHOOKS,
    components: { ...outline.components, schemas: SCHEMAS, headers: LIMIT_HEADERS },
  };
  const document = SwaggerModule.createDocument(app, whole, { extraModels: [ProblemResponse] });
  return withOwnLines(addRowExamples(completed(withWrites(document, hasWrites))));
}

/** Without the marks of what writes, or without what has them. */
function withWrites(document: OpenAPIObject, hasWrites: boolean): OpenAPIObject {
  const kept = Object.entries(document.paths).map(([path, item]) => {
    const operations = Object.entries(item).filter(([, operation]) => hasWrites || !(WRITES in operation));
    for (const [, operation] of operations) delete operation[WRITES];
    return [path, Object.fromEntries(operations)] as const;
  });
  return { ...document, paths: Object.fromEntries(kept.filter(([, item]) => Object.keys(item).length > 0)) };
}

/**
 * Nest refers to the type of a parameter by an `allOf` of one, which linters object to. A 404 without an @ApiId(), and the headers of limits, are said
 * here.
 */
function completed(document: OpenAPIObject): OpenAPIObject {
  addPatchSchemas(document);
  for (const { parameters = [], responses, security } of listOperations(document)) {
    for (const [status, response] of Object.entries(responses)) {
      const isLimited = security === undefined && (status === 'default' || status.startsWith('2'));
      if (isLimited && response !== undefined && 'description' in response)
        Object.assign((response.headers ??= {}), LIMITS);
    }
    const unknown = responses['404'];
    if (unknown !== undefined && 'description' in unknown)
      unknown.description ||= 'There is nothing at this address.';
    for (const parameter of parameters) {
      if (!('schema' in parameter) || parameter.schema === undefined || !('allOf' in parameter.schema))
        continue;
      const { allOf: [only] = [], ...rest } = parameter.schema;
      parameter.schema = { ...rest, ...only };
    }
  }
  return document;
}

/** A schema that only lines of a text have stands with them: as a component it would be unused to all who read the document. */
function withOwnLines(document: OpenAPIObject): OpenAPIObject {
  let text = JSON.stringify(document);
  const used = Object.entries(document.components?.schemas ?? {}).filter(([name, schema]) => {
    const ref = JSON.stringify({ $ref: `#/components/schemas/${name}` });
    const inlined = text.replaceAll(
      `"x-line-schema":${ref}`,
      () => `"x-line-schema":${JSON.stringify(schema)}`,
    );
    const isUnused = inlined !== text && !inlined.includes(ref);
    if (isUnused) text = inlined;
    return !isUnused;
  });
  const whole = JSON.parse(text) as OpenAPIObject;
  return { ...whole, components: { ...whole.components, schemas: Object.fromEntries(used) } };
}
