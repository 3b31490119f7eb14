// Every operation of the API, as the application itself describes them: a new route is in all specs that go through these.
import type { DocumentedOperation, OpenApiDocument } from './openapi.js';
import type { RawRequest } from './raw.js';

export interface Operation {
  readonly method: 'GET' | 'POST';
  /** As described, such as /v1/tanks/{id}. */
  readonly template: string;
  /** The same with an id in it. */
  readonly path: string;
  readonly documented: DocumentedOperation;
}

/** Those that need a key, with this id where an address has one. */
export function operationsOf({ paths }: OpenApiDocument, id: string): Operation[] {
  return Object.entries(paths).flatMap(([template, item]) =>
    Object.entries(item)
      .filter(([, { security }]) => security === undefined)
      .map(([verb, documented]) => ({
        method: methodOf(verb),
        template,
        path: template.replace('{id}', id),
        documented,
      })),
  );
}

function methodOf(verb: string): Operation['method'] {
  const method = verb.toUpperCase();
  if (method === 'GET' || method === 'POST') return method;
  throw new Error(`The specs do not know yet what to expect of ${method}.`);
}

export function hasParameters({ documented }: Operation): boolean {
  return documented.parameters.some((parameter) => parameter.in === 'query');
}

/** What OPTIONS and a 405 say of an address. */
export function allowedMethods(operations: readonly Operation[], path: string): string {
  const offered = new Set(operations.filter((one) => one.path === path).map(({ method }) => method));
  return [
    ...(offered.has('GET') ? ['GET', 'HEAD'] : []),
    ...(offered.has('POST') ? ['POST'] : []),
    'OPTIONS',
  ].join(', ');
}

/** As a caller would send it, with the first body that the document shows. */
export function requestTo({ method, path, documented }: Operation): RawRequest {
  const [type, content] = Object.entries(documented.requestBody?.content ?? {})[0] ?? [];
  if (type === undefined) return { method, path };
  const body = JSON.stringify(Object.values(content?.examples ?? {})[0]?.value);
  return { method, path, headers: [['Content-Type', type]], body };
}
