// Handles one message of a network server: finds out what it is, and reports what became of it.
import { Inject, Injectable } from '@nestjs/common';
import type { Caller } from '../common/auth/caller.js';
import type { JsonRecord } from '../common/bodies/record.js';
import { parseRecord } from '../common/writes/object-body.js';
import { Metrics } from '../platform/metrics/metrics.js';
import { badRequest } from '../common/problems/problem.js';
import { readGenericMessage } from './generic-message.js';
import { readChirpStack, readTts } from './messages.js';
import type { UplinkResultResponse } from './dto/uplink-result.response.js';
import { MAX_MESSAGE_BRACKETS } from './message-body.js';
import { UplinkWriter, type LeanUplink, type Result, type Origin } from './uplink-writer.js';
import type { Ignored, Malformed, Message, Source } from './uplink.js';

const READERS: Record<Source, (body: JsonRecord, event: string, arrivedAt: Date) => Message> = {
  chirpstack: readChirpStack,
  tts: readTts,
  generic: (body, _, arrivedAt) => readGenericMessage(body, arrivedAt),
};

@Injectable()
export class UplinksService {
  constructor(
    private readonly writer: UplinkWriter,
    @Inject(Metrics) private readonly metrics: Pick<Metrics, 'countUplink'>,
  ) {}

  /** `event`: what happened, as ChirpStack names it. A dry run stores, notes and counts nothing. */
  async take(
    source: Source,
    payload: string,
    event: string,
    isDryRun: boolean,
    { customerId: boundTo }: Caller,
  ): Promise<UplinkResultResponse> {
    const parse = () => parseRecord(payload, MAX_MESSAGE_BRACKETS);
    const message = readMessage(source, parse, event, new Date());
    if ('malformed' in message) throw badRequest('malformed_body', message.malformed);
    const result = await this.write(message, { source, boundTo, payload }, isDryRun);
    if (!isDryRun) this.metrics.countUplink(source, result.outcome);
    return result;
  }

  private async write(
    message: LeanUplink | Ignored,
    origin: Origin,
    isDryRun: boolean,
  ): Promise<UplinkResultResponse> {
    if (!('ignored' in message)) {
      const result = isDryRun ? this.writer.preview(message, origin) : this.writer.write(message, origin);
      return toResponse(message, await result);
    }
    const isStatus = message.ignored === 'status';
    const tankId = isStatus ? await this.writer.noteStatus(message, origin.boundTo, isDryRun) : null;
    return toResponse(message, { ...IGNORED, reason: message.ignored, tankId });
  }
}

const IGNORED = { outcome: 'ignored', fill: null, uplinkId: null, history: null } as const;

/** What was decoded takes many times its bytes as objects: it is not held while the database is asked, but parsed again when it is judged. */
export function readMessage(
  source: Source,
  parse: () => JsonRecord,
  event: string,
  arrivedAt: Date,
): LeanUplink | Ignored | Malformed {
  const read = () => READERS[source](parse(), event, arrivedAt);
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
  { outcome, reason, tankId, fill, uplinkId, history }: Result,
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
    history,
  };
}
