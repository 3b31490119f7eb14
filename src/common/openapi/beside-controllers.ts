// What the document says that no controller can: what the service itself posts, and a schema that is one of several.
import { getSchemaPath } from '@nestjs/swagger';
import type { OpenAPIObject } from '@nestjs/swagger';
import { EVENT_TYPES } from '../../rules.js';

const refTo = (schema: string) => ({ $ref: getSchemaPath(schema) });

/** In front of `ChangeResponse` as well as the type of a change. */
const CHANGES = { customer: 'Customer', tank: 'Tank', telemetry: 'Telemetry', event: 'Event' };
const changes = Object.entries(CHANGES).map(
  ([type, name]) => [type, refTo(`${name}ChangeResponse`).$ref] as const,
);

const messages = [
  ...EVENT_TYPES.map((type) => [type, refTo('EventResponse').$ref] as const),
  ['ping', refTo('PingResponse').$ref] as const,
];

export const SCHEMAS = {
  WebhookMessage: {
    description: 'What a webhook brings, by its `type`: an event, or the `ping` of a test.',
    oneOf: ['EventResponse', 'PingResponse'].map(refTo),
    discriminator: { propertyName: 'type', mapping: Object.fromEntries(messages) },
  },
  ChangeResponse: {
    description: 'What has changed, by its `type`.',
    oneOf: changes.map(([, $ref]) => ({ $ref })),
    discriminator: { propertyName: 'type', mapping: Object.fromEntries(changes) },
  },
};

const header = (name: string, description: string, example: string) => ({
  name,
  in: 'header' as const,
  required: true,
  description,
  schema: { type: 'string' as const },
  example,
});

export const WEBHOOKS: NonNullable<OpenAPIObject['webhooks']> = {
  event: {
    post: {
      operationId: 'receiveEvent',
      tags: ['Events'],
      summary: 'What your endpoint receives',
      description:
        'Each event is posted to the webhooks that the operator has added, signed as Standard Webhooks (https://www.standardwebhooks.com) describes: `webhook-signature` is `v1,` and the Base64 of an HMAC-SHA256, with the secret of the webhook, over `webhook-id`, `webhook-timestamp` and the body as it came, joined by dots. Compare it, and refuse what is older than five minutes. It may come more than once.',
      security: [],
      parameters: [
        header(
          'webhook-id',
          'The id of the event: one that you have seen is a repetition.',
          '019b7a6e-31c8-7f10-8a3e-0d6f1b2c3d4e',
        ),
        header('webhook-timestamp', 'When it was sent, in seconds since 1970.', '1793469604'),
        header(
          'webhook-signature',
          'One signature, or several with a space between while a secret is being replaced.',
          'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
        ),
      ],
      requestBody: {
        required: true,
        description: 'The event; or a `ping`, when somebody tests the webhook.',
        content: { 'application/json': { schema: refTo('WebhookMessage') } },
      },
      responses: {
        '2XX': { description: 'It is taken; send this once it is stored, within 15 seconds.' },
        '410': { description: 'The endpoint is gone for good: the webhook is disabled.' },
        default: { description: 'It is sent again later. Redirects are not followed.' },
      },
    },
  },
};
