// The other formats of a body stand beside its content, not in it: where there are several, a generated client makes one type of
// them, "a page or a text". Swagger UI, in which people choose one, has them in it. The examples of rows are made of those that the document
// has for the fields of one.
import type { OpenAPIObject } from '@nestjs/swagger';
import type { Type } from '@nestjs/common';
import { listCsvColumns, type Column } from '../pagination/columns.js';
import { writeCsv } from '../pagination/csv.js';
import { writeNdjson } from '../pagination/rows.js';

export const OTHER_FORMATS = 'x-other-formats';

/** A new document; the one given stays as it is. */
export function withOtherFormats(document: OpenAPIObject): OpenAPIObject {
  const complete = structuredClone(document);
  for (const { requestBody, responses } of listOperations(complete)) {
    for (const body of [requestBody, ...Object.values(responses)]) {
      if (body !== undefined && OTHER_FORMATS in body && 'content' in body) {
        Object.assign(body.content ?? {}, body[OTHER_FORMATS]);
      }
    }
  }
  return complete;
}

type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;

export function listOperations({ paths }: OpenAPIObject): Operation[] {
  return Object.values(paths).flatMap((item) =>
    [item.get, item.post, item.put, item.patch, item.delete].filter((one) => one !== undefined),
  );
}

/** No keyword of OpenAPI describes the lines of a text; `x-line-schema` does, for people and for our tests. */
const LINES = 'x-line-schema';

/** Of CSV, by the schema of a row: the document does not say which objects are spread. */
const columns = new Map<string, readonly Column[]>();

export function rowFormats($ref: string, rowType: Type<object>): object {
  columns.set($ref, listCsvColumns(rowType));
  const lines = () => ({ schema: { type: 'string', [LINES]: { $ref } } });
  return {
    [OTHER_FORMATS]: { 'text/csv': lines(), 'application/x-ndjson': lines(), 'application/jsonl': lines() },
  };
}

interface RowFormats {
  readonly [type: string]: { schema: { [LINES]?: { $ref: string } }; example?: string };
}

/** Once all classes are in the document. */
export function addRowExamples(document: OpenAPIObject): OpenAPIObject {
  for (const { responses } of listOperations(document)) {
    const formats = Object.values(responses).flatMap((body) =>
      body !== undefined && OTHER_FORMATS in body ? [body[OTHER_FORMATS] as RowFormats] : [],
    );
    for (const [type, format] of formats.flatMap((one) => Object.entries(one))) {
      const ref = format.schema[LINES]?.$ref ?? '';
      const row = buildExample(document, ref);
      format.example = type === 'text/csv' ? writeCsv(columns.get(ref) ?? [], [row]) : writeNdjson([row]);
      if (type === 'text/csv') delete format.schema[LINES];
    }
  }
  return document;
}

interface Described {
  readonly example?: unknown;
  readonly properties?: Readonly<Record<string, Described>>;
  readonly allOf?: readonly { readonly $ref?: string }[];
  /** Of one that may be null. */
  readonly anyOf?: readonly { readonly $ref?: string }[];
  readonly $ref?: string;
}

function buildExample({ components }: OpenAPIObject, ref: string): object {
  const schemas = components?.schemas as Readonly<Record<string, Described>>;
  const exampleAt = ($ref: string): object => {
    const { properties = {} } = schemas[$ref.split('/').at(-1) ?? ''] ?? {};
    return Object.fromEntries(
      Object.entries(properties).map(
        ([name, { example, allOf, anyOf, $ref: own = (allOf ?? anyOf)?.[0]?.$ref }]) => [
          name,
          example === undefined && own !== undefined ? exampleAt(own) : example,
        ],
      ),
    );
  };
  return exampleAt(ref);
}
