// Handles what senders send: finds out what it is, and reports what became of it.
import { Inject, Injectable } from '@nestjs/common';
import type { Caller } from '../common/auth/caller.js';
import { parseJson } from '../common/bodies/parse-json.js';
import type { JsonRecord } from '../common/bodies/record.js';
import { parseRecord } from '../common/writes/object-body.js';
import { Metrics } from '../platform/metrics/metrics.js';
import { resumable } from '../platform/tracing/trail.js';
import { badRequest, noSuch } from '../common/problems/problem.js';
import { quote } from '../common/validation/fault.js';
import { invalidFields } from '../common/validation/field-mistakes.js';
import { rulesOf, type SourceTestInput } from './dto/source.input.js';
import { readGenericMessage } from './generic-message.js';
import { NOT_A_MEASUREMENT } from './interpret.js';
import { readChirpStack, readTts } from './messages.js';
import type {
  SourceResultResponse,
  SourceResultsResponse,
  SourceTestResponse,
  SourceTestsResponse,
  UplinkResultResponse,
  ValidationResponse,
} from './dto/uplink-result.response.js';
import { MAX_MESSAGE_BRACKETS } from './path.js';
import { readMessage, readSource, validationCodeIn } from './source.js';
import type { Arrival, SourceReading, SourceRules } from './source.js';
import { SourceCatalog, type FoundSource } from './source-catalog.js';
import { UplinkWriter } from './uplink-writer.js';
import type { LeanUplink, Origin, Outcome, Result, Sent } from './uplink-writer.js';
import type { Ignored, Malformed, Message, Sender } from './uplink.js';

const READERS: Record<Sender, (body: JsonRecord, event: string, arrivedAt: Date) => Message> = {
  chirpstack: readChirpStack,
  tts: readTts,
  generic: (body, _, arrivedAt) => readGenericMessage(body, arrivedAt),
};

/** What came by a source, as it is kept: JSON. */
export interface SentBySource {
  readonly payload: string;
  readonly arrival: Arrival;
  readonly isRedelivered?: boolean;
}

@Injectable()
export class UplinksService {
  constructor(
    private readonly writer: UplinkWriter,
    private readonly catalog: SourceCatalog,
    @Inject(Metrics) private readonly metrics: Pick<Metrics, 'countUplink'>,
  ) {}

  /** `event`: what happened, as ChirpStack names it. A dry run stores, notes and counts nothing. */
  async take(
    source: Sender,
    payload: string,
    event: string,
    isDryRun: boolean,
    caller: Pick<Caller, 'customerId'>,
  ): Promise<UplinkResultResponse> {
    const resume = resumable();
    const write = await this.prepare(source, payload, event, caller, isDryRun);
    return resume(write);
  }

  /** What is returned writes it: of several in the order in which it is called. */
  async prepare(
    source: Sender,
    payload: string,
    event: string,
    { customerId: boundTo }: Pick<Caller, 'customerId'>,
    isDryRun = false,
    { at, topic = null }: Arrival = { at: Date.now() },
  ): Promise<() => Promise<UplinkResultResponse>> {
    const parse = () => parseRecord(payload, MAX_MESSAGE_BRACKETS);
    const message = readSent(source, parse, event, new Date(at));
    if ('malformed' in message) throw badRequest('malformed_body', message.malformed);
    const origin = { source, boundTo, payload, topic };
    if ('ignored' in message) return () => this.note(message, origin, isDryRun);
    if (isDryRun) return async () => toResponse(message, await this.writer.preview(message, origin));
    const write = await this.writer.prepare([{ uplink: message, origin }]);
    return async () => {
      const result = resultIn(await write());
      this.metrics.countUplink(source, result.outcome);
      return toResponse(message, result);
    };
  }

  private async note(
    message: Ignored,
    { source, boundTo }: Origin,
    isDryRun: boolean,
  ): Promise<UplinkResultResponse> {
    const isStatus = message.ignored === 'status';
    const tankId = isStatus ? await this.writer.noteStatus(message, boundTo, isDryRun) : null;
    if (!isDryRun) this.metrics.countUplink(source, 'ignored');
    return toResponse(message, { ...IGNORED, reason: message.ignored, tankId });
  }

  /** What is no message of its sender is kept as it came. Returns what became of it. */
  async keep(origin: Origin, label: string, deviceId: string, at: number): Promise<Outcome> {
    const uplink = { ...NO_UPLINK, deviceId, at };
    const { outcome } = await this.writer.write(uplink, { ...origin, arrivedAt: at });
    this.metrics.countUplink(label, outcome);
    return outcome;
  }

  /** What is posted to the address of a source. */
  async post(
    id: string,
    payload: string,
    isDryRun: boolean,
    caller: Caller,
  ): Promise<SourceResultResponse | SourceResultsResponse | ValidationResponse> {
    const arrival = { at: Date.now() };
    const source = await this.catalog.find(id, caller.customerId);
    if (source === undefined) throw noSuch('source');
    const validationResponse = validationCodeIn(parseJson(payload, MAX_MESSAGE_BRACKETS));
    if (validationResponse !== undefined) return { validationResponse };
    const write = await this.prepareBySource(source, { payload, arrival }, caller, isDryRun);
    return listed(source.rules, await write());
  }

  /** What is returned writes them: one result an uplink, in their order. */
  async prepareBySource(
    source: FoundSource,
    { payload, arrival, isRedelivered = false }: SentBySource,
    { customerId }: Pick<Caller, 'customerId'>,
    isDryRun = false,
  ): Promise<() => Promise<SourceResultResponse[]>> {
    const readings = leanReadings(source.rules, payload, arrival);
    const write = await this.prepareReadings(readings, isDryRun, {
      source: source.id,
      boundTo: source.customer_id ?? customerId,
      topic: arrival.topic ?? null,
      arrivedAt: arrival.at,
      isRedelivered,
    });
    if (isDryRun) return write;
    return async () => {
      const results = await write();
      for (const { outcome } of results) this.metrics.countUplink(labelOf(source), outcome);
      return results;
    };
  }

  /** What a dry run would answer for a source that is not stored. */
  async test(
    { source, message, topic }: SourceTestInput,
    { customerId: boundTo }: Pick<Caller, 'customerId'>,
  ): Promise<SourceTestResponse | SourceTestsResponse> {
    const { customer_id: customerId = boundTo } = source;
    if (boundTo !== null && customerId !== boundTo) {
      const unknown = {
        pointer: '/source/customer_id',
        reason: 'unknown customer',
        detail: quote(customerId),
      };
      throw invalidFields([unknown]);
    }
    const rules = rulesOf(source);
    const arrival = { at: Date.now(), topic: topic ?? null };
    const readings = leanReadings(rules, JSON.stringify(message), arrival);
    const write = await this.prepareReadings(readings, true, { source: '', boundTo: customerId });
    const results = (await write()).map((result, i) =>
      Object.assign(result, { payload: readings[i]?.decode() ?? null }),
    );
    return listed(rules, results);
  }

  private async prepareReadings(
    readings: readonly LeanReading[],
    isDryRun: boolean,
    shared: Omit<Origin, 'payload'>,
  ): Promise<() => Promise<SourceResultResponse[]>> {
    const sent = readings
      .filter(({ outcome }) => outcome !== 'ignored')
      .map((reading) => ({
        uplink: uplinkOf(reading, shared.arrivedAt),
        origin: { ...shared, ...keptAs(reading) },
      }));
    const write = isDryRun ? () => this.previewAll(sent) : await this.writer.prepare(sent);
    return async () => {
      const written = await write();
      return readings.map((reading) => {
        const result = reading.outcome === 'ignored' ? NOT_MEASURED : resultIn(written.splice(0, 1));
        return Object.assign(toResponse(reading, result), { time: reading.time, detail: reading.detail });
      });
    };
  }

  private async previewAll(sent: readonly Sent[]): Promise<Result[]> {
    const resume = resumable();
    const results: Result[] = [];
    for (const { uplink, origin } of sent)
      results.push(await resume(() => this.writer.preview(uplink, origin)));
    return results;
  }
}

/** In metrics. */
export function labelOf({ id, built_in: isBuiltIn }: FoundSource): string {
  return isBuiltIn ? id : 'custom';
}

function resultIn<T>([first]: readonly T[]): T {
  if (first === undefined) throw new Error('An uplink has no result.');
  return first;
}

const NO_UPLINK = {
  decode: () => undefined,
  frameCounter: null,
  signal: { rssi: null, snr: null, gatewayId: null },
  isMalformed: true,
};

const IGNORED = { outcome: 'ignored', fill: null, uplinkId: null, history: null } as const;
const NOT_MEASURED: Result = { ...IGNORED, reason: NOT_A_MEASUREMENT, tankId: null };

/** A list where the source makes several of one body. */
function listed<T>({ messages, channels }: SourceRules, results: T[]): T | { object: 'list'; data: T[] } {
  const [only] = results;
  return messages === null && channels === null && only !== undefined
    ? only
    : { object: 'list', data: results };
}

/** What was decoded takes many times its bytes as objects: it is not held while the database is asked, but parsed again when it is judged. */
export function readSent(
  source: Sender,
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

function decodedIn(message: Message): object | undefined {
  return 'decoded' in message ? message.decoded : undefined;
}

/** The same of a source: `text` is what is kept of it. */
export type LeanReading = Omit<SourceReading, 'decoded' | 'message'> & {
  readonly text: string;
  readonly decode: () => object | undefined;
};

/** `isOne`: it is one message, also where the source has several in a body. */
export function leanReadings(
  rules: SourceRules,
  payload: string,
  arrival: Arrival,
  isOne = rules.messages === null,
): LeanReading[] {
  const body = parseJson(payload, MAX_MESSAGE_BRACKETS);
  const readings = isOne
    ? readSource({ ...rules, messages: null }, body, arrival)
    : readSource(rules, body, arrival);
  return readings.map(({ decoded: _decoded, message, ...reading }) => {
    const text = isOne || reading.isWhole ? payload : JSON.stringify(message);
    const again = () => readMessage(rules, JSON.parse(text), arrival);
    return {
      ...reading,
      text,
      decode: () => again().find(({ deviceId }) => deviceId === reading.deviceId)?.decoded,
    };
  });
}

/** As the writer takes it. One without a device or a time has that of its arrival. */
export function uplinkOf(reading: LeanReading, arrivedAt = Date.now()): LeanUplink {
  return {
    ...reading,
    deviceId: reading.deviceId ?? '',
    at: reading.at ?? arrivedAt,
    isMalformed: reading.outcome === 'malformed',
    isOfArrival: reading.time !== 'message',
  };
}

export function keptAs({ text, detail, isWhole }: LeanReading): Pick<Origin, 'payload' | 'detail' | 'form'> {
  return { payload: text, detail, form: isWhole ? 'body' : null };
}

function toResponse(
  { deviceId, at }: Pick<SourceReading, 'deviceId' | 'at'>,
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
