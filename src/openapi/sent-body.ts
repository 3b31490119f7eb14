// The body of a request in the OpenAPI document: one type in its content, the others beside it (see other-formats.ts).
import { ApiBody } from '@nestjs/swagger';
import { OTHER_FORMATS } from './other-formats.js';

interface Content {
  readonly schema: object;
  readonly examples: object;
}

export function ApiSentBody(
  content: Content,
  others: Readonly<Record<string, object>> = {},
  required = true,
): MethodDecorator {
  const beside = Object.keys(others).length === 0 ? {} : { [OTHER_FORMATS]: others };
  return ApiBody({ required, ...content, ...beside });
}
