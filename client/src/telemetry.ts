// Telemetry: the readings of a tank, and sending them.
import { Batcher, type BatcherOptions } from './batcher.js';
import { askForJson } from './json.js';
import { pageOf, walk, type WalkQuery } from './lists.js';
import { sendReadings, type SendOptions } from './send.js';
import { address, type RequestOptions, type Transport } from './transport.js';
import type {
  DeleteReadingsQuery,
  Deletion,
  GetTelemetrySeriesQuery,
  IngestResult,
  List,
  ListReadingsQuery,
  ListTelemetryQuery,
  NewReading,
  Reading,
  ReadingsPage,
  Series,
  TelemetryRow,
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

  /** The next readings of all tanks: go on with `after`, the `next` of the answer. */
  async readings(query: ListReadingsQuery = {}, options: RequestOptions = {}): Promise<ReadingsPage> {
    return askForJson(this.transport, { ...options, path: '/v1/telemetry', query, isRepeatable: true });
  }

  /**
   * Every reading of every tank, by tank, then oldest first. What is there all the time comes exactly once. `size` is how many are asked
   * for at once: 10,000, unless given.
   */
  async *walk(
    query: ListReadingsQuery = {},
    options: RequestOptions = {},
  ): AsyncGenerator<TelemetryRow, void, undefined> {
    let after: string | null | undefined = query.after;
    do {
      const page: ReadingsPage = await this.readings({ size: 10_000, ...query, after }, options);
      for (const reading of page.data) {
        options.signal?.throwIfAborted();
        yield reading;
      }
      after = page.next;
    } while (after !== null);
  }

  /** Removes the readings of a tank between two instants, both included, at most 10,000, and returns how many there were. After a lost answer it is tried again, and none may be left. */
  async delete(tankId: string, query: DeleteReadingsQuery, options: RequestOptions = {}): Promise<Deletion> {
    const path = address`/v1/tanks/${tankId}/telemetry`;
    return askForJson(this.transport, { ...options, method: 'DELETE', path, query, isRepeatable: true });
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
