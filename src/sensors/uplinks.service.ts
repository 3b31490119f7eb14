// Handles one message of a network server: reads its body, finds out what it is, and reports what became of it.
import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Caller } from '../auth/caller.js';
import { Bodies } from '../bodies/bodies.js';
import type { JsonRecord } from '../fields/resource.js';
import { allowTime } from '../http/connections.js';
import { checkBodyType, parseRecord } from '../manage/json-body.js';
import { Metrics } from '../metrics/metrics.js';
import { badRequest, Problem } from '../problems/problem.js';
import { readChirpStack } from './chirpstack.js';
import type { UplinkResultResponse } from './dto/uplink-result.response.js';
import { readTts } from './tts.js';
import type { UplinkParameters } from './uplink-parameters.js';
import { UplinkWriter, type LeanUplink, type Result, type Way } from './uplink-writer.js';
import type { Ignored, Malformed, Message, Source } from './uplink.js';

export const MAX_MESSAGE_BYTES = 65_536;
const MAX_MESSAGE_BRACKETS = 5_000;

/** Network servers wait for an answer for a few seconds. From the headers to the key, and from the end of the body. */
export const ANSWER_WITHIN_MS = 3_500;

export const MESSAGE_TOO_LARGE = new Problem({
  status: 413,
  code: 'body_too_large',
  detail: `A message may have at most ${MAX_MESSAGE_BYTES} bytes. Nothing was stored.`,
});
const BOUNDS = { maxBytes: MAX_MESSAGE_BYTES, isGzip: false, tooLarge: MESSAGE_TOO_LARGE };

const READERS: Record<Source, (body: JsonRecord, event: string) => Message> = {
  chirpstack: readChirpStack,
  tts: readTts,
};

@Injectable()
export class UplinksService {
  constructor(
    private readonly bodies: Bodies,
    private readonly writer: UplinkWriter,
    private readonly metrics: Metrics,
  ) {}

  receive(
    source: Source,
    request: Request,
    response: Response,
    parameters: UplinkParameters,
    { keyPrefix, customerId }: Caller,
  ): Promise<UplinkResultResponse> {
    checkBodyType('POST', request.headers);
    return this.bodies.withText(request, response, keyPrefix, BOUNDS, async (payload) => {
      allowTime(response, ANSWER_WITHIN_MS);
      const parse = () => parseRecord(payload, MAX_MESSAGE_BRACKETS);
      const message = readMessage(source, parse, parameters.event);
      if ('malformed' in message) throw badRequest('malformed_body', message.malformed);
      const result = await this.take(message, { source, boundTo: customerId, payload }, parameters.isDryRun);
      if (!parameters.isDryRun) this.metrics.countUplink(source, result.outcome);
      return result;
    });
  }

  private async take(
    message: LeanUplink | Ignored,
    way: Way,
    isDryRun: boolean,
  ): Promise<UplinkResultResponse> {
    if (!('ignored' in message)) {
      const result = isDryRun ? this.writer.foresee(message, way) : this.writer.write(message, way);
      return toResponse(message, await result);
    }
    const isStatus = message.ignored === 'status';
    const tankId = isStatus ? await this.writer.noteStatus(message, way.boundTo, isDryRun) : null;
    return toResponse(message, { ...IGNORED, reason: message.ignored, tankId });
  }
}

const IGNORED = { outcome: 'ignored', fill: null, uplinkId: null } as const;

/** What was decoded takes many times its bytes as objects: it is not held while the database is asked, but parsed again when it is judged. */
export function readMessage(
  source: Source,
  parse: () => JsonRecord,
  event: string,
): LeanUplink | Ignored | Malformed {
  const read = () => READERS[source](parse(), event);
  const message = read();
  if (!('decoded' in message)) return message;
  const { decoded: _, ...uplink } = message;
  return { ...uplink, decode: () => decodedIn(read()) };
}

function decodedIn(message: Message): JsonRecord | undefined {
  return 'decoded' in message ? message.decoded : undefined;
}

function toResponse(
  { deviceId, at }: LeanUplink | Ignored,
  { outcome, reason, tankId, fill, uplinkId }: Result,
): UplinkResultResponse {
  return {
    object: 'uplink_result',
    outcome,
    reason,
    device_id: deviceId,
    tank_id: tankId,
    created_at: at === null ? null : new Date(at).toISOString(),
    fill_percentage: fill,
    uplink_id: uplinkId,
  };
}
