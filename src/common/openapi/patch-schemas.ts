// What the document says of a merge patch (RFC 7396): an object within it, too, may leave out what stays as it is. So such an object has a schema
// of its own that requires nothing. What is in an array is sent whole.
import type { OpenAPIObject } from '@nestjs/swagger';

type Schemas = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>;
type Schema = Schemas[string];

const REF = '#/components/schemas/';

/** Changes the document. */
export function addPatchSchemas({ paths, components }: OpenAPIObject): void {
  const schemas = components?.schemas ?? {};
  for (const { patch } of Object.values(paths)) {
    const body = patch?.requestBody;
    const schema =
      body !== undefined && 'content' in body ? body.content['application/json']?.schema : undefined;
    if (schema !== undefined) relaxFields(schemas, findSchema(schemas, schema));
  }
}

function findSchema(schemas: Schemas, schema: Schema): Schema | undefined {
  return '$ref' in schema ? schemas[schema.$ref.slice(REF.length)] : schema;
}

function relaxFields(schemas: Schemas, whole: Schema | undefined): void {
  if (whole === undefined || '$ref' in whole) return;
  for (const [name, field] of Object.entries(whole.properties ?? {}))
    (whole.properties ??= {})[name] = relaxed(schemas, field);
}

/** An object that may be null is described as one of two schemas. */
function relaxed(schemas: Schemas, schema: Schema): Schema {
  if (!('$ref' in schema)) {
    const { anyOf, allOf } = schema;
    return {
      ...schema,
      ...(anyOf && { anyOf: anyOf.map((one) => relaxed(schemas, one)) }),
      ...(allOf && { allOf: allOf.map((one) => relaxed(schemas, one)) }),
    };
  }
  const whole = findSchema(schemas, schema);
  if (whole === undefined || '$ref' in whole || (whole.required ?? []).length === 0) return schema;
  const name = `${schema.$ref.slice(REF.length).replace(/(Response|Input)$/, '')}Patch`;
  if (!(name in schemas)) {
    const { required: _, ...partial } = whole;
    schemas[name] = { ...partial, properties: { ...whole.properties } };
    relaxFields(schemas, schemas[name]);
  }
  return { ...schema, $ref: REF + name };
}
