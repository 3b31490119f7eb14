// POST /v1/uplinks/… and DELETE /v1/uplinks/:id in the OpenAPI document: bodies and answers.
import { applyDecorators } from '@nestjs/common';
import { ApiExtraModels } from '@nestjs/swagger';
import { InvalidFieldsResponse } from '../common/writes/dto/problems.response.js';
import { OBJECT_TOO_LARGE } from '../common/writes/object-body.js';
import { ApiSend, exampleBody } from '../common/openapi/bodies.decorator.js';
import { ApiMalformedAddress, ApiRefusals, ApiScoped, refTo } from '../common/openapi/problems.decorator.js';
import { ApiId, ApiOk } from '../common/openapi/responses.decorator.js';
import { badRequest } from '../common/problems/problem.js';
import { fieldFault, invalidFields } from '../common/validation/field-mistakes.js';
import {
  RetryResultResponse,
  SourceResultsResponse,
  SourceResultResponse,
  SourceTestsResponse,
  SourceTestResponse,
  UplinkResultResponse,
  ValidationResponse,
} from './dto/uplink-result.response.js';
import { DeletedUplinkResponse } from './dto/uplink.response.js';
import { SourceTestInput } from './dto/source.input.js';
import { MAX_MESSAGE_BYTES, MESSAGE_TOO_LARGE } from './message-body.js';
import { MAX_MESSAGE_BRACKETS, MAX_MESSAGE_DEPTH } from './path.js';
import { MAX_UPLINKS } from './source.js';
import type { Sender } from './uplink.js';

const CHIRPSTACK = {
  deviceInfo: { devEui: '0016c001f000175a' },
  time: '2026-10-31T18:00:00.123456789Z',
  fCnt: 17,
  data: 'AXVcA2cBAAWC6AMA',
  object: { battery: 92, temperature: 25.7, distance: 1100, position: 'normal' },
  rxInfo: [{ gatewayId: '0016c001f153a14c', rssi: -97, snr: 6.5 }],
};

const TTS = {
  end_device_ids: { device_id: 'tank-1', dev_eui: '0016C001F000175A' },
  received_at: '2026-10-31T18:00:00.323456789Z',
  uplink_message: {
    f_cnt: 17,
    frm_payload: 'AXVcA2cBAAWC6AMA',
    decoded_payload: { battery: 92, temperature: 25.7, distance: 1100, position: 'normal' },
    rx_metadata: [{ gateway_ids: { gateway_id: 'roof' }, rssi: -97, snr: 6.5 }],
    received_at: '2026-10-31T18:00:00.123456789Z',
  },
};

const GENERIC = {
  device_id: 'tank-7',
  time: '2026-10-31T18:00:00Z',
  payload: { distance: 1100 },
  battery_percent: 87,
  rssi_dbm: -97,
  snr_db: 4.5,
};

const SERVERS = {
  chirpstack: {
    operationId: 'sendChirpStackUplink',
    summary: 'Send a message of ChirpStack',
    setUp:
      'Set this address as the HTTP integration of an application in ChirpStack 4, with JSON and the header `X-API-Key`.',
    example: CHIRPSTACK,
  },
  tts: {
    operationId: 'sendTtsUplink',
    summary: 'Send a message of The Things Stack',
    setUp:
      'Set this address as a webhook of an application in The Things Stack 3, with JSON and the header `X-API-Key`.',
    example: TTS,
  },
  generic: {
    operationId: 'sendGenericUplink',
    summary: 'Send a message of any sensor',
    setUp:
      'For every sender that is neither of these: `device_id` and `payload` are required; `time` is an RFC 3339 datetime or a Unix time, and the moment of arrival without it; `battery_percent` counts before the battery of the payload. Other keys are ignored.',
    example: GENERIC,
  },
} as const satisfies Record<Sender, object>;

export function ApiUplink(source: Sender): MethodDecorator {
  const { operationId, summary, setUp, example } = SERVERS[source];
  const description = `${setUp} Whatever is a message of this kind is answered with 200, after it is stored: its reading is stored, it is ignored, or it waits in quarantine. Sending it again is safe. It has at most ${MAX_MESSAGE_BYTES / 1_024} KiB, ${MAX_MESSAGE_DEPTH} levels and ${MAX_MESSAGE_BRACKETS.toLocaleString('en')} arrays and objects.`;
  return ApiSend({ operationId, summary, description }, ['What became of it.', UplinkResultResponse], {
    ...MESSAGE,
    content: exampleBody(example),
    invalid: [
      'The body is no such message (`malformed_body`), or a parameter is not valid. Nothing was stored.',
      badRequest('malformed_body', 'The body must be one JSON object.'),
    ],
  });
}

const MESSAGE = {
  scope: 'telemetry:write',
  tooLarge: ['The message is too large; nothing was stored.', MESSAGE_TOO_LARGE],
} as const;

const SIGFOX = { device: '1D3B2A', time: '1730397600', data: '0a1f', rssi: '-121.00', snr: '11.20' };

export function ApiSourceUplink(): MethodDecorator {
  const operation = {
    operationId: 'sendSourceUplink',
    summary: 'Send what any sender sends',
    description: `Any JSON, of at most ${MAX_MESSAGE_BYTES / 1_024} KiB: the source says where its messages, device, time and payload are. Answered with 200, after it is stored; what nobody can use yet waits in quarantine (\`malformed\`), and \`detail\` says what was found. A list where the source has \`messages\` or \`channels\`, of at most ${MAX_UPLINKS}. Senders without headers post to \`/v1/uplinks/sources/{id}/{token}\`.`,
  };
  const answers = [SourceResultResponse, SourceResultsResponse, ValidationResponse] as const;
  return applyDecorators(
    ApiId('source', 'sigfox'),
    ApiSend(operation, ['What became of it.', ...answers], {
      ...MESSAGE,
      content: exampleBody(SIGFOX, {}),
      invalid: [
        'The body is no JSON (`malformed_body`), or a parameter is not valid. Nothing was stored.',
        badRequest('malformed_body', 'The body is not JSON.'),
      ],
    }),
  );
}

const TOO_LARGE = ['The body is too large.', OBJECT_TOO_LARGE] as const;

export function ApiTestedSource(): MethodDecorator {
  const source = {
    name: 'Gateway in the yard',
    device: { path: 'device' },
    payload: [{ path: 'data', as: 'hex' }],
  };
  const operation = {
    operationId: 'testSource',
    summary: 'Try a source out',
    description:
      'What a message would become by a source that is not stored, as with `dry_run`; each result has the `payload` that a profile gets.',
  };
  return applyDecorators(
    ApiExtraModels(SourceTestInput),
    ApiSend(operation, ['What would become of it.', SourceTestResponse, SourceTestsResponse], {
      scope: 'tanks:write',
      content: exampleBody({ source, message: SIGFOX }, refTo(SourceTestInput)),
      invalid: [
        'Fields (`invalid_fields`) or the body (`malformed_body`) are not valid.',
        invalidFields([fieldFault('source', 'is missing')]),
        InvalidFieldsResponse,
      ],
      tooLarge: TOO_LARGE,
    }),
  );
}

export function ApiRetry(): MethodDecorator {
  const operation = {
    operationId: 'retryUplinks',
    summary: 'Try uplinks in quarantine again',
    description:
      'Oldest first, at most 1,000 a call and fewer when they take long, with the rights of the keys that sent them. One call at a time a key; others get a 503. Those that become readings leave the quarantine. `device_id` chooses the uplinks of one device; `after` goes on from the `next` of the answer before.',
  };
  return ApiSend(operation, ['What became of them.', RetryResultResponse], {
    scope: 'telemetry:write',
    content: exampleBody({ device_id: '0016C001F000175A' }),
    isOptional: true,
    invalid: [
      'Fields (`invalid_fields`) or the body (`malformed_body`) are not valid. Nothing was tried.',
      invalidFields([fieldFault('device_id', 'must not be empty')]),
      InvalidFieldsResponse,
    ],
    tooLarge: TOO_LARGE,
  });
}

export function ApiDiscard(): MethodDecorator {
  const operation = {
    operationId: 'discardUplink',
    summary: 'Discard an uplink in quarantine',
    description: 'For good.',
  };
  return applyDecorators(
    ApiScoped('telemetry:write', operation),
    ApiId('uplink', '00000000-0000-7000-8000-000000000001'), // the demo has it
    ApiOk('The uplink is discarded.', [DeletedUplinkResponse]),
    ApiMalformedAddress('The address is not well formed, or has a parameter.'),
    ApiRefusals('telemetry:write'),
  );
}
