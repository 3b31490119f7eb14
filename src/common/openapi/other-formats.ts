// The other formats of a body stand beside its content, not in it: where there are several, a generated client makes one type of
// them, "a page or a text". Swagger UI, in which people choose one, has them in it.
import { ApiBody, type OpenAPIObject } from '@nestjs/swagger';

export const OTHER_FORMATS = 'x-other-formats';

/** A new document; the one given stays as it is. */
export function withOtherFormats(document: OpenAPIObject): OpenAPIObject {
  const complete = structuredClone(document);
  for (const { requestBody, responses } of operationsOf(complete)) {
    for (const body of [requestBody, ...Object.values(responses)]) {
      if (body !== undefined && OTHER_FORMATS in body && 'content' in body) {
        Object.assign(body.content ?? {}, body[OTHER_FORMATS]);
      }
    }
  }
  return complete;
}

/** The body of a request: one type in its content, the others beside it. */
export function ApiSentBody(
  content: { readonly schema: object; readonly examples: object },
  others: Readonly<Record<string, object>> = {},
  required = true,
): MethodDecorator {
  const beside = Object.keys(others).length === 0 ? {} : { [OTHER_FORMATS]: others };
  return ApiBody({ required, ...content, ...beside });
}

type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;

export function operationsOf({ paths }: OpenAPIObject): Operation[] {
  return Object.values(paths).flatMap((item) =>
    [item.get, item.post, item.put, item.patch, item.delete].filter((one) => one !== undefined),
  );
}
