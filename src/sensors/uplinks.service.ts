// Handles what senders send: finds out what it is, and reports what became of it.
import { Inject, Injectable } from '@nestjs/common';
import type { Caller } from '../common/auth/caller.js';
import { parseJson } from '../common/bodies/parse-json.js';
import type { JsonRecord } from '../common/bodies/record.js';
import { parseRecord } from '../common/writes/object-body.js';
import { Metrics } from '../platform/metrics/metrics.js';
import { badRequest, noSuch } from '../common/problems/problem.js';
import { quote } from '../common/validation/fault.js';
import { invalidFields } from '../common/validation/field-mistakes.js';
import { toRules, type SourceTestInput } from './dto/source.input.js';
import { NOT_A_MEASUREMENT } from './interpret.js';
import { readChirpStack, readGenericMessage, readTts } from './messages.js';
import { toUplinkResult } from './dto/uplink-result.response.js';
import type {
  Outcome,
  SourceResultResponse,
  SourceResultsResponse,
  SourceTestResponse,
  SourceTestsResponse,
  UplinkResultResponse,
  ValidationResponse,
} from './dto/uplink-result.response.js';
import { MESSAGE_BOUNDS } from './path.js';
import { readSource, validationCodeIn } from './source.js';
import type { Arrival, SourceReading, SourceRules } from './source.js';
import { SourceCatalog, type FoundSource } from './source-catalog.js';
import { UplinkWriter, type Origin, type Sent } from './uplink-writer.js';
import { NO_SIGNAL, type Ignored, type Message, type Sender } from './uplink.js';

type Bound = Pick<Caller, 'customerId'>;

/** What came by a source, as it is kept: JSON. */
interface SentBySource {
  readonly payload: string;
  readonly arrival: Arrival;
  readonly isRedelivered?: boolean;
}

/** A reading of a source, and what is kept of it. */
type KeptReading = SourceReading & { readonly text: string };

@Injectable()
export class UplinksService {
  constructor(
    private readonly writer: UplinkWriter,
    private readonly catalog: SourceCatalog,
    @Inject(Metrics) private readonly metrics: Pick<Metrics, 'count'>,
  ) {}

  /** `event`: what happened, as ChirpStack names it. A dry run stores, notes and counts nothing. */
  async take(
    source: Sender,
    payload: string,
    event: string,
    isDryRun: boolean,
    caller: Bound,
  ): Promise<UplinkResultResponse> {
    const write = await this.prepare(source, payload, event, caller, isDryRun);
    return write();
  }

  /** What is returned writes it: of several in the order in which it is called. */
  async prepare(
    source: Sender,
    payload: string,
    event: string,
    { customerId: boundTo }: Bound,
    isDryRun = false,
    { at, topic = null }: Arrival = { at: Date.now() },
  ): Promise<() => Promise<UplinkResultResponse>> {
    const message = readSent(source, parseRecord(payload, ...MESSAGE_BOUNDS), event, new Date(at));
    if ('malformed' in message) throw badRequest('malformed_body', message.malformed);
    const origin = { source, boundTo, payload, topic };
    if ('ignored' in message) return () => this.note(message, origin, isDryRun);
    const write = await this.writer.prepare([{ uplink: message, origin }], { isDryRun });
    return async () => {
      const result = only(await write());
      if (!isDryRun) this.count(source, result);
      return result;
    };
  }

  private count(source: string, { outcome }: UplinkResultResponse): void {
    this.metrics.count('uplinks_total', { source, outcome });
  }

  private async note(
    message: Ignored,
    { source, boundTo }: Origin,
    isDryRun: boolean,
  ): Promise<UplinkResultResponse> {
    const isStatus = message.ignored === 'status';
    const tank_id = isStatus ? await this.writer.noteStatus(message, boundTo, isDryRun) : null;
    const result = toUplinkResult(message, { outcome: 'ignored', reason: message.ignored, tank_id });
    if (!isDryRun) this.count(source, result);
    return result;
  }

  /** What is no message of its sender is kept as it came. Returns what became of it. */
  async keep(origin: Origin, label: string, deviceId: string, at: number): Promise<Outcome> {
    const uplink = { ...NO_UPLINK, deviceId, at };
    const write = await this.writer.prepare([{ uplink, origin: { ...origin, arrivedAt: at } }]);
    const result = only(await write());
    this.count(label, result);
    return result.outcome;
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
    const validationResponse = validationCodeIn(parseJson(payload, ...MESSAGE_BOUNDS));
    if (validationResponse !== undefined) return { validationResponse };
    const write = await this.prepareBySource(source, { payload, arrival }, caller, isDryRun);
    return listed(source.rules, await write());
  }

  /** What is returned writes them: one result an uplink, in their order. */
  async prepareBySource(
    source: FoundSource,
    { payload, arrival, isRedelivered = false }: SentBySource,
    { customerId }: Bound,
    isDryRun = false,
  ): Promise<() => Promise<SourceResultResponse[]>> {
    const write = await this.prepareReadings(readKept(source.rules, payload, arrival), isDryRun, {
      source: source.id,
      boundTo: source.customer_id ?? customerId,
      topic: arrival.topic ?? null,
      arrivedAt: arrival.at,
      isRedelivered,
    });
    return async () => {
      const results = await write();
      if (!isDryRun) for (const result of results) this.count(toLabel(source), result);
      return results;
    };
  }

  /** What a dry run would answer for a source that is not stored. */
  async test(
    { source, message, topic }: SourceTestInput,
    { customerId: boundTo }: Bound,
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
    const rules = toRules(source);
    const arrival = { at: Date.now(), topic: topic ?? null };
    const readings = readKept(rules, JSON.stringify(message), arrival);
    const write = await this.prepareReadings(readings, true, { source: '', boundTo: customerId });
    const results = (await write()).map((result, i) =>
      Object.assign(result, { payload: readings[i]?.decoded ?? null }),
    );
    return listed(rules, results);
  }

  private async prepareReadings(
    readings: readonly KeptReading[],
    isDryRun: boolean,
    shared: Omit<Origin, 'payload'>,
  ): Promise<() => Promise<SourceResultResponse[]>> {
    const sent = readings
      .filter(({ outcome }) => outcome !== 'ignored')
      .map((reading) => toSent(reading, shared));
    const write = await this.writer.prepare(sent, { isDryRun });
    return async () => {
      const written = await write();
      return readings.map((reading) => {
        const { outcome, deviceId: device_id, at, time, detail } = reading;
        const result =
          outcome === 'ignored'
            ? toUplinkResult(reading, { outcome, reason: NOT_A_MEASUREMENT })
            : only(written.splice(0, 1));
        const created_at = at === null ? null : result.created_at;
        return Object.assign(result, { device_id, created_at, time, detail });
      });
    };
  }
}

/** In metrics. */
export function toLabel({ id, built_in: isBuiltIn }: FoundSource): string {
  return isBuiltIn ? id : 'custom';
}

function only<T>([first]: readonly T[]): T {
  if (first === undefined) throw new Error('An uplink has no result.');
  return first;
}

const NO_UPLINK = {
  decoded: undefined,
  frameCounter: null,
  signal: NO_SIGNAL,
  isMalformed: true,
};

/** A list where the source makes several of one body. */
function listed<T>({ messages, channels }: SourceRules, results: T[]): T | { object: 'list'; data: T[] } {
  const [first] = results;
  return messages === null && channels === null && first !== undefined
    ? first
    : { object: 'list', data: results };
}

export function readSent(source: Sender, body: JsonRecord, event: string, arrivedAt: Date): Message {
  if (source === 'chirpstack') return readChirpStack(body, event);
  return source === 'tts' ? readTts(body) : readGenericMessage(body, arrivedAt);
}

/** `isOne`: it is one message, also where the source has several in a body. */
export function readKept(
  rules: SourceRules,
  payload: string,
  arrival: Arrival,
  isOne = rules.messages === null,
): KeptReading[] {
  const body = parseJson(payload, ...MESSAGE_BOUNDS);
  const readings = readSource(isOne ? { ...rules, messages: null } : rules, body, arrival);
  return readings.map((reading) => ({
    ...reading,
    text: isOne || reading.isWhole ? payload : JSON.stringify(reading.message),
  }));
}

/** As the writer takes it. One without a device has none in quarantine, and one without a time has that of its arrival. */
export function toSent(reading: KeptReading, shared: Omit<Origin, 'payload'>): Sent {
  const { text: payload, detail, isWhole } = reading;
  const uplink = {
    ...reading,
    deviceId: reading.deviceId ?? '',
    at: reading.at ?? shared.arrivedAt ?? Date.now(),
    isMalformed: reading.outcome === 'malformed',
    isOfArrival: reading.time !== 'message',
  };
  return { uplink, origin: { ...shared, payload, detail, form: isWhole ? 'body' : null } };
}
