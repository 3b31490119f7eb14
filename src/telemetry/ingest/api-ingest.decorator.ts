// POST /v1/telemetry in the OpenAPI document: its bodies and its answers.
import { applyDecorators } from '@nestjs/common';
import { ApiExtraModels, ApiOperation } from '@nestjs/swagger';
import { MAX_DEPTH } from '../../common/bodies/parse-json.js';
import { ApiSentBody } from '../../common/openapi/bodies.decorator.js';
import { refTo } from '../../common/openapi/problems.decorator.js';
import { ApiOk } from '../../common/openapi/responses.decorator.js';
import { READINGS_BODY } from './body-type.js';
import { IngestResultResponse, ReadingsRefusedResponse } from './dto/ingest-result.response.js';
import { SentReading, SentReadings } from './dto/sent-reading.js';
import { MAX_READINGS } from './parse-body.js';
import { readingsRefused, tooManyReadings } from './problems.js';

const DESCRIPTION = `
Up to ${MAX_READINGS.toLocaleString('en')} readings of any tanks and any time in the past, in any order. A reading is identified by its tank and instant, so
sending it again is always safe. Good readings are stored even when others of the request are refused, unless \`atomic\` is \`true\`. The
answer comes after they are stored. Needs a key with the scope \`telemetry:write\`.

The body is JSON, or one reading per line as \`application/x-ndjson\`, \`application/jsonl\` or \`text/csv\`. It is UTF-8, optionally
with \`Content-Encoding: gzip\`, of at most 2 MiB after decompression unless the operator has set another limit. JSON has at most ${MAX_DEPTH} levels.

Worth sending again: 408, 429, 503 and a lost connection. They do not say whether the readings were stored; sending them twice does
no harm.`.trim();

const BY_TANK = {
  tank_id: '019b7a6e-31c8-7f10-8a3e-0d6f1b2c3d4e',
  created_at: '2026-10-31T18:00:00Z',
  fill_percentage: 63.4,
};
const BY_DEVICE = { device_id: 'dev-18a3f2', created_at: '2026-10-31T18:15:00+01:00', fill_percentage: 20 };

const LINES = [BY_TANK, BY_DEVICE].map((reading) => JSON.stringify(reading)).join('\n');
const CSV = ['tank_id,created_at,fill_percentage', Object.values(BY_TANK).join()].join('\n');

const text = (description: string, example: string) => ({ schema: { type: 'string', description }, example });
const READINGS = {
  schema: refTo(SentReadings),
  examples: {
    one: { summary: 'One reading, by its tank', value: { readings: [BY_TANK] } },
    device: { summary: 'One reading, by its device', value: { readings: [BY_DEVICE] } },
    several: { summary: 'Several readings', value: { readings: [BY_TANK, BY_DEVICE] } },
  },
};
const OTHERS = {
  'application/x-ndjson': text('One reading per line.', LINES),
  'application/jsonl': text('The same as application/x-ndjson.', LINES),
  'text/csv': text('A header with the names of the fields in any order, then one reading per line.', CSV),
};

const ONE_REFUSED = readingsRefused({
  object: 'ingest_result',
  created: 1,
  updated: 0,
  unchanged: 0,
  superseded: 0,
  refused: 1,
  errors: [{ index: 1, code: 'unknown_device', detail: 'no tank has this device: "dev-18a3f2"' }],
});

export function ApiIngest(): MethodDecorator {
  return applyDecorators(
    ApiExtraModels(SentReading, SentReadings, IngestResultResponse, ReadingsRefusedResponse),
    ApiOperation({
      operationId: 'sendReadings',
      summary: 'Send readings',
      description: DESCRIPTION,
    }),
    ApiOk('All readings are stored.', [IngestResultResponse]),
    ApiSentBody({
      scope: 'telemetry:write',
      content: READINGS,
      others: OTHERS,
      invalid: [
        'Readings were refused (`readings_refused`), and the good ones stored; or the body (`malformed_body`) or a parameter cannot be used, and nothing was stored.',
        ONE_REFUSED,
        ReadingsRefusedResponse,
      ],
      wanted: `Send the readings with the Content-Type ${READINGS_BODY.types.join(' or ')}.`,
      otherType:
        'The body is of another type, charset or encoding; `Accept-Post` or `Accept-Encoding` lists what is accepted.',
      tooLarge: ['Too many readings or bytes; nothing was stored.', tooManyReadings(MAX_READINGS)],
    }),
  );
}
