// Lists as CSV and NDJSON, in the OpenAPI document. Their examples are made of those that the document has for the fields of a row.
import type { OpenAPIObject } from '@nestjs/swagger';
import { columnsOfExample } from '../formats/columns.js';
import { writeCsv } from '../formats/csv.js';
import { writeNdjson } from '../formats/rows.js';
import { operationsOf } from './errors.js';
import { OTHER_FORMATS } from './other-formats.js';

/** No keyword of OpenAPI describes the lines of a text; `x-line-schema` does, for people and for our tests. */
const LINES = 'x-line-schema';

export function rowFormats($ref: string): object {
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
  for (const { responses } of operationsOf(document)) {
    const formats = Object.values(responses).flatMap((body) =>
      body !== undefined && OTHER_FORMATS in body ? [body[OTHER_FORMATS] as RowFormats] : [],
    );
    for (const [type, format] of formats.flatMap((one) => Object.entries(one))) {
      const row = exampleOf(document, format.schema[LINES]?.$ref ?? '');
      format.example = type === 'text/csv' ? writeCsv(columnsOfExample(row), [row]) : writeNdjson([row]);
      if (type === 'text/csv') delete format.schema[LINES];
    }
  }
  return document;
}

interface Described {
  readonly example?: unknown;
  readonly properties?: Readonly<Record<string, Described>>;
  readonly allOf?: readonly { readonly $ref: string }[];
  readonly $ref?: string;
}

function exampleOf({ components }: OpenAPIObject, ref: string): object {
  const schemas = components?.schemas as Readonly<Record<string, Described>>;
  const exampleAt = ($ref: string): object => {
    const { properties = {} } = schemas[$ref.split('/').at(-1) ?? ''] ?? {};
    return Object.fromEntries(
      Object.entries(properties).map(([name, { example, allOf, $ref: own = allOf?.[0]?.$ref }]) => [
        name,
        example === undefined && own !== undefined ? exampleAt(own) : example,
      ]),
    );
  };
  return exampleAt(ref);
}
