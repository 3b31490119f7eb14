// The operations of an OpenAPI document.
import type { OpenAPIObject } from '@nestjs/swagger';

type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;

export function operationsOf({ paths }: OpenAPIObject): Operation[] {
  return Object.values(paths).flatMap((item) =>
    [item.get, item.post, item.put, item.patch, item.delete].filter((one) => one !== undefined),
  );
}
