// Telemetry: the readings of a tank, and sending them.
import { Batcher, type BatcherOptions } from './batcher.js';
import { askForJson } from './json.js';
import { pageOf, walk, type WalkQuery } from './lists.js';
import { sendReadings, type SendOptions } from './send.js';
import { address, type RequestOptions, type Transport } from './transport.js';
import type {
  GetTelemetrySeriesQuery,
  IngestResult,
  List,
  ListTelemetryQuery,
  NewReading,
  Reading,
  Series,
} from './types.js';

export class Telemetry {
  constructor(private readonly transport: Transport) {}

  /** Every reading of a tank, newest first. */
  async *list(
    tankId: string,
    query: WalkQuery<ListTelemetryQuery> = {},
    options: RequestOptions = {},
  ): AsyncGenerator<Reading, void, undefined> {
    const path = address`/v1/tanks/${tankId}/telemetry`;
    // A tank has one reading at an instant. Line by line they come with their tank, as a file of several needs it.
    const readings = walk<Reading>(this.transport, path, query, options, ({ created_at }) => created_at);
    for await (const { object, created_at, fill_percentage } of readings)
      yield { object, created_at, fill_percentage };
  }

  /** One page of the list, and how many there are. */
  async page(
    tankId: string,
    query: ListTelemetryQuery = {},
    options: RequestOptions = {},
  ): Promise<List<Reading>> {
    return pageOf(this.transport, address`/v1/tanks/${tankId}/telemetry`, query, options);
  }

  /** The readings of a range in buckets, for drawing. */
  async series(
    tankId: string,
    query: GetTelemetrySeriesQuery = {},
    options: RequestOptions = {},
  ): Promise<Series> {
    const path = address`/v1/tanks/${tankId}/telemetry/series`;
    return askForJson(this.transport, { ...options, path, query, isRepeatable: true });
  }

  /**
   * Sends any number of readings and returns how many of them are new. Those that are refused hold up none of the others; if there are
   * any, a `ReadingsRefusedError` names all of them at the end. After any other error it is safe to send all of them again.
   */
  send(
    readings: Iterable<NewReading> | AsyncIterable<NewReading>,
    options: SendOptions = {},
  ): Promise<IngestResult> {
    return sendReadings(this.transport, readings, options);
  }

  /** Collects readings that come one by one, and sends them together. */
  batcher(options: BatcherOptions = {}): Batcher {
    return new Batcher(this.transport, options);
  }
}
