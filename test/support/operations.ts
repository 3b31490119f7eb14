// Every operation of the API, as the application itself describes them: a new route is in all specs that go through these.
import type { DocumentedOperation, OpenApiDocument } from './openapi.js';
import type { RawRequest } from './raw.js';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
type Method = (typeof METHODS)[number];

export interface Operation {
  readonly method: Method;
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
        path: template.replaceAll(/\{\w+\}/g, id),
        documented,
      })),
  );
}

function methodOf(verb: string): Method {
  const method = METHODS.find((one) => one === verb.toUpperCase());
  if (method === undefined) throw new Error(`The specs do not know yet what to expect of ${verb}.`);
  return method;
}

/** The scope that an operation needs, as its 403 says; undefined where any key will do. */
export function scopeOf({ documented }: Operation): string | undefined {
  const refusals = JSON.stringify(documented.responses['403'] ?? documented.responses['default'] ?? {});
  return /lacks the scope `([^`]+)`/.exec(refusals)?.[1];
}

export function hasParameters({ documented }: Operation): boolean {
  return documented.parameters.some((parameter) => parameter.in === 'query');
}

/** What OPTIONS and a 405 say of an address. */
export function allowedMethods(operations: readonly Operation[], path: string): string {
  const offered = new Set(operations.filter((one) => one.path === path).map(({ method }) => method));
  const methods = METHODS.filter((method) => offered.has(method));
  return [...methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])), 'OPTIONS'].join(
    ', ',
  );
}

/** As a caller would send it, with the first body and the examples of required parameters that the document shows. */
export function requestTo({ method, path: address, documented }: Operation): RawRequest {
  const required = documented.parameters.filter((one) => one.in === 'query' && one.required === true);
  const query = new URLSearchParams(
    required.map(({ name, schema }): [string, string] => [name, String(schema.example)]),
  );
  const path = required.length === 0 ? address : `${address}?${query.toString()}`;
  const [type, content] = Object.entries(documented.requestBody?.content ?? {})[0] ?? [];
  if (type === undefined) return { method, path };
  const body = JSON.stringify(Object.values(content?.examples ?? {})[0]?.value);
  return { method, path, headers: [['Content-Type', type]], body };
}
