// Holds every response against the OpenAPI document the service itself serves, more strictly than the document asks:
// no field it does not name, no status it does not describe, no time that is not UTC with milliseconds.
import { Ajv, type ValidateFunction } from 'ajv';
import { parse } from 'csv-parse/sync';
import { keep } from './kept.js';

export interface SeenResponse {
  readonly method: string;
  /** As requested, query string included. */
  readonly path: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
}

export interface OpenApiDocument {
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, unknown>>;
    readonly headers: Readonly<Record<string, unknown>>;
    readonly securitySchemes: Readonly<Record<string, object>>;
  };
  readonly security: readonly object[];
  readonly webhooks: { readonly event: { readonly post: { readonly requestBody: DocumentedBody } } };
}

export interface DocumentedOperation {
  readonly operationId: string;
  readonly description?: string;
  readonly tags: readonly string[];
  /** Empty where no key is needed. */
  readonly security?: readonly object[];
  readonly parameters: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
    readonly schema: { readonly example?: unknown; readonly default?: unknown };
  }[];
  readonly requestBody?: DocumentedBody;
  readonly responses: Readonly<Record<string, DocumentedResponse>>;
}

interface DocumentedBody {
  readonly content: Readonly<Record<string, DocumentedContent>>;
  readonly 'x-other-formats'?: Readonly<Record<string, DocumentedContent>>;
}

interface DocumentedResponse {
  readonly headers?: Readonly<Record<string, { readonly required?: boolean; readonly $ref?: string }>>;
  readonly content?: Readonly<Record<string, DocumentedContent>>;
  readonly 'x-other-formats'?: Readonly<Record<string, DocumentedContent>>;
}

interface DocumentedContent {
  readonly schema: { readonly 'x-line-schema'?: object };
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

const UTC_WITH_MILLISECONDS = /^\d{4}-(0\d|1[0-2])-([0-2]\d|3[01])T([01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/;

/** What the server answers before there is an operation to speak of: the document need not repeat it for each. */
const OUTSIDE_OF_OPERATIONS = new Set(['method_not_allowed', 'request_timeout', 'bad_request']);

const PROBLEM_SCHEMA = { $ref: '#/components/schemas/ProblemResponse' };
/** The problems that tell more than the others. */
const SCHEMAS_OF_CODES: Readonly<Record<string, object>> = {
  readings_refused: { $ref: '#/components/schemas/ReadingsRefusedResponse' },
  invalid_fields: { $ref: '#/components/schemas/InvalidFieldsResponse' },
  device_taken: { $ref: '#/components/schemas/ConflictResponse' },
  owns_tanks: { $ref: '#/components/schemas/ConflictResponse' },
  already_planned: { $ref: '#/components/schemas/ConflictResponse' },
};
const ROOT = 'openapi';

export class ResponseValidator {
  private readonly ajv: Ajv;
  private readonly compiled: Map<string, ValidateFunction>;

  constructor(private readonly document: OpenApiDocument) {
    const known = keep(
      'validators',
      () => new WeakMap<OpenApiDocument, [Ajv, Map<string, ValidateFunction>]>(),
    );
    const found = known.get(document) ?? [
      ajvOf(document.components.schemas),
      new Map<string, ValidateFunction>(),
    ];
    known.set(document, found);
    [this.ajv, this.compiled] = found;
  }

  /** Throws when the response is not one that the document describes. */
  check(response: SeenResponse): void {
    try {
      this.checkDocumented(response, this.operationOf(response));
    } catch (error) {
      const { method, path, status, text } = response;
      const reason = error instanceof Error ? error.message : String(error);
      throw new Error(
        `${method} ${path.slice(0, 300)} → ${status} breaks the OpenAPI document: ${reason}\n${text.slice(0, 500)}`,
        { cause: error },
      );
    }
  }

  private checkDocumented(response: SeenResponse, operation: DocumentedOperation | undefined): void {
    const { status, headers, text } = response;
    // Node's own answer to what never became a request.
    if ([400, 408, 417, 431].includes(status) && text === '' && headers['x-request-id'] === undefined) return;
    if (typeof headers['x-request-id'] !== 'string') throw new Error('it has no X-Request-Id');
    const code = status >= 400 ? this.checkProblem(response) : '';
    if (operation === undefined || OUTSIDE_OF_OPERATIONS.has(code)) return;
    if (status === 304) {
      if (text !== '') throw new Error('a 304 has no body');
      return;
    }
    const documented = operation.responses[status] ?? commonResponse(operation, status);
    if (documented === undefined) throw new Error('the status is not described');
    for (const name of requiredHeaders(documented, status)) {
      if (headers[name.toLowerCase()] === undefined) throw new Error(`the header ${name} is missing`);
    }
    if (response.method !== 'HEAD') this.checkBody(response, documented);
  }

  private checkBody({ headers, text }: SeenResponse, documented: DocumentedResponse): void {
    const type = mediaType(headers);
    const content = documented.content?.[type] ?? documented['x-other-formats']?.[type];
    if (content === undefined) throw new Error(`the content type "${type}" is not described`);
    const { 'x-line-schema': lineSchema } = content.schema;
    if (type === 'text/csv') checkCsv(content, text);
    else if (lineSchema === undefined) this.assertValid(content.schema, JSON.parse(text));
    else this.checkLines(lineSchema, text);
  }

  private checkLines(schema: object, text: string): void {
    if (text !== '' && !text.endsWith('\n')) throw new Error('the last line is not ended');
    for (const line of text.split('\n').slice(0, -1)) this.assertValid(schema, JSON.parse(line));
  }

  /** Throws when it is not what the document says, as of a body that is sent. */
  assertValid(schema: object, value: unknown): void {
    const name = JSON.stringify(schema);
    let validate = this.compiled.get(name);
    if (validate === undefined) {
      // References are made absolute, since the schema of a response is compiled apart from the document.
      const text = JSON.stringify(closed(schema)).replaceAll('"#/components/', `"${ROOT}#/components/`);
      validate = this.ajv.compile(JSON.parse(text) as object);
      this.compiled.set(name, validate);
    }
    if (!validate(value)) throw new Error(this.ajv.errorsText(validate.errors?.slice(0, 5)));
  }

  /** Gives the problem's code, as far as there is a body to tell it. */
  checkProblem({ method, status, headers, text }: SeenResponse): string {
    if (mediaType(headers) !== 'application/problem+json') throw new Error('an error is no problem+json');
    if (method === 'HEAD' && text === '') return '';
    const problem: unknown = JSON.parse(text);
    this.assertValid(SCHEMAS_OF_CODES[(problem as { code: string }).code] ?? PROBLEM_SCHEMA, problem);
    const {
      status: told,
      request_id: id,
      code,
    } = problem as { status: number; request_id: string; code: string };
    if (told !== status) throw new Error(`the body says ${told}`);
    if (id !== headers['x-request-id']) throw new Error('body and header have different request ids');
    return code;
  }

  private operationOf({ method, path }: SeenResponse): DocumentedOperation | undefined {
    const segments = (asRouted(path).split(/[?#]/, 1)[0] ?? '').split('/');
    const template = Object.keys(this.document.paths).find((candidate) => matches(candidate, segments));
    const verb = method === 'HEAD' ? 'get' : method.toLowerCase();
    return template === undefined ? undefined : this.document.paths[template]?.[verb];
  }
}

function ajvOf(schemas: object): Ajv {
  // JSON has no NaN, and a page of 400 digits, though Infinity to JavaScript, is an integer.
  const ajv = new Ajv({ strict: true, allErrors: true, strictNumbers: false });
  ajv.addVocabulary(['example', 'components', 'discriminator']);
  ajv.addFormat('date-time', UTC_WITH_MILLISECONDS.source);
  return ajv.addSchema({ $id: ROOT, components: closed({ schemas }) as object });
}

/** The example shows the header, and so what each row must have. */
function checkCsv({ example }: DocumentedContent, text: string): void {
  const header = `${String(example).split('\r\n', 1)[0]}\r\n`;
  if (!text.startsWith(header)) throw new Error(`its header is not ${header.trim()}`);
  if (!text.endsWith('\r\n')) throw new Error('the last row is not ended');
  parse(text, { record_delimiter: '\r\n' }); // throws when rows have more or fewer cells than the header
}

/** The default response stands for the statuses that it has examples of, and for no other. */
function commonResponse({ responses }: DocumentedOperation, status: number): DocumentedResponse | undefined {
  const common = responses['default'];
  const examples = common?.content?.['application/problem+json']?.examples ?? {};
  return status in examples ? common : undefined;
}

/** Of a group, these come with some only. */
const WITH_STATUS: Readonly<Record<string, readonly number[]>> = {
  'Retry-After': [429, 503],
  'WWW-Authenticate': [401],
  Vary: [200, 406],
};

function requiredHeaders({ headers = {} }: DocumentedResponse, status: number): string[] {
  // Those of limits, which the document refers to, come while requests are limited.
  const always = Object.keys(headers).filter(
    (name) => headers[name]?.required !== false && headers[name]?.$ref === undefined,
  );
  return always.filter((name) => WITH_STATUS[name]?.includes(status) ?? true);
}

function matches(template: string, segments: readonly string[]): boolean {
  const wanted = template.split('/');
  return (
    wanted.length === segments.length &&
    wanted.every((part, i) => (part.startsWith('{') ? segments[i] !== '' : part === segments[i]))
  );
}

/** Express reads an address with a raw `#` or byte A0 by Node's `url.parse`, to which a backslash is `/`. */
function asRouted(path: string): string {
  return /[#\xa0]/.test(Buffer.from(path).toString('latin1')) ? path.replaceAll('\\', '/') : path;
}

function mediaType(headers: Readonly<Record<string, unknown>>): string {
  return String(headers['content-type']).split(';', 1)[0] ?? '';
}

/** The same schema, with every object closed to fields it does not name. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const result: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(schema)) {
    result[keyword] = keyword === 'example' || keyword === 'enum' ? value : closed(value);
  }
  if (isSchemaOfObject(schema)) result['additionalProperties'] = false;
  return result;
}

function isSchemaOfObject(schema: object): boolean {
  return 'type' in schema && schema.type === 'object' && 'properties' in schema;
}
