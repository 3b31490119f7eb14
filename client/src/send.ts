// Sends any number of readings, in as few requests as there can be. Sending a reading again is always safe.
import { gzip } from './gzip.js';
import { askForJson } from './json.js';
import { ProblemError } from './problem.js';
import type { RequestOptions, Transport } from './transport.js';
import { within } from './waiting.js';
import type { IngestResult, NewReading, ReadingError } from './types.js';

export interface SendOptions extends RequestOptions {
  /** All in one request, of which nothing is stored if any reading is refused: at most 10,000 readings. */
  readonly atomic?: boolean | undefined;
  /** Is told how far it is, after each request. */
  readonly onProgress?: ((progress: SendProgress) => void) | undefined;
}

export interface RefusedReading {
  /** Its place among those that were sent, from 0. */
  readonly index: number;
  /** The service's code, or `body_too_large` for one that alone is more than the service takes. */
  readonly code: ReadingError['code'] | 'body_too_large';
  readonly detail: string;
  readonly reading: NewReading;
}

/** Some readings were refused; `errors` has all of them. */
export class ReadingsRefusedError extends ProblemError {
  override readonly name = 'ReadingsRefusedError';
  declare readonly errors: readonly RefusedReading[];

  constructor(
    readonly result: IngestResult,
    errors: readonly RefusedReading[],
    requestId: string | undefined,
  ) {
    const { created, updated, unchanged } = result;
    const refused = result.refused === 1 ? '1 reading was' : `${result.refused} readings were`;
    const detail = `${refused} refused, ${created + updated + unchanged} are stored. The first: ${errors[0]?.detail ?? 'not known'}`;
    super(400, { code: 'readings_refused', detail, errors, request_id: requestId });
  }
}

/** The service takes 10,000 readings and, unless it is set otherwise, 2 MiB at once. */
const MOST_READINGS = 5_000;
const MOST_BYTES = 2_000_000;

interface Waiting {
  readonly index: number;
  readonly reading: NewReading;
  readonly text: string;
}

const COUNTS = ['created', 'updated', 'unchanged', 'superseded', 'refused'] as const;

type Readings = Iterable<NewReading> | AsyncIterable<NewReading>;

/** What is known while `send` runs, and when it ends early: its error has these, whatever it is. */
export interface SendProgress extends Pick<IngestResult, (typeof COUNTS)[number]> {
  /** How many readings, from the first one on, it is known what became of: the others may be sent again. */
  readonly stored: number;
}

/** An abort ends it also while the next reading is waited for. */
export async function sendReadings(
  transport: Transport,
  readings: Readings,
  options: SendOptions,
): Promise<IngestResult> {
  const sending = new Sending(transport, options);
  try {
    return await within(Infinity, options.signal, () => sendAll(sending, readings, options));
  } catch (error) {
    if (error instanceof Object && Object.isExtensible(error)) Object.assign(error, sending.progress);
    throw error;
  }
}

async function sendAll(sending: Sending, readings: Readings, options: SendOptions): Promise<IngestResult> {
  let batch: Waiting[] = [];
  let bytes = 0;
  let index = 0;
  for await (const reading of readings) {
    options.signal?.throwIfAborted(); // and the source is closed
    const text = JSON.stringify(reading) ?? 'null';
    const length = encoder.encode(text).length + 1;
    const isFull = batch.length >= MOST_READINGS || bytes + length > sending.mostBytes;
    if (isFull && batch.length > 0 && options.atomic !== true) {
      await sending.send(batch);
      [batch, bytes] = [[], 0];
    }
    batch.push({ index, reading, text });
    bytes += length;
    index += 1;
  }
  if (batch.length > 0) await sending.send(batch);
  return sending.finish();
}

const encoder = new TextEncoder();

class Sending {
  /** Less, once a batch was too large. */
  mostBytes = MOST_BYTES;
  private readonly result: IngestResult = {
    object: 'ingest_result',
    created: 0,
    updated: 0,
    unchanged: 0,
    superseded: 0,
    refused: 0,
    errors: [],
  };
  private readonly refused: RefusedReading[] = [];
  private stored = 0;
  private requestId: string | undefined;

  constructor(
    private readonly transport: Transport,
    private readonly options: SendOptions,
  ) {}

  get progress(): SendProgress {
    const { created, updated, unchanged, superseded, refused } = this.result;
    return { created, updated, unchanged, superseded, refused, stored: this.stored };
  }

  async send(batch: readonly Waiting[]): Promise<void> {
    try {
      this.count(await this.post(batch, this.options.atomic ?? false), batch);
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      if (error.code === 'readings_refused') await this.noteRefused(batch, error);
      else if (error.status === 413 && this.options.atomic !== true) await this.split(batch, error);
      else throw error;
    }
  }

  finish(): IngestResult {
    if (this.result.refused === 0) return this.result;
    throw new ReadingsRefusedError(this.result, this.refused, this.requestId);
  }

  private async split(batch: readonly Waiting[], error: ProblemError): Promise<void> {
    const [only] = batch;
    if (batch.length === 1 && only !== undefined) {
      this.refused.push({
        index: only.index,
        code: 'body_too_large',
        detail: error.detail,
        reading: only.reading,
      });
      return this.count({ refused: 1 }, batch);
    }
    const middle = Math.ceil(batch.length / 2);
    this.mostBytes = Math.min(this.mostBytes, bodyOf(batch).length / 2);
    await this.send(batch.slice(0, middle));
    await this.send(batch.slice(middle));
  }

  /** An answer names the first hundred. The others are asked for with `atomic`, which stores nothing as long as one is refused. */
  private async noteRefused(batch: readonly Waiting[], first: ProblemError): Promise<void> {
    this.requestId ??= first.requestId;
    const counts = first.problem as unknown as IngestResult;
    let rest = batch;
    let left = counts.refused;
    for (let error = first; error.errors.length > 0;) {
      this.refused.push(...error.errors.map((one) => refusedOf(one as ReadingError, rest)));
      left -= error.errors.length;
      rest = rest.slice((error.errors.at(-1)?.index ?? 0) + 1);
      const next = left > 0 && rest.length > 0 ? await this.refusalOf(rest) : undefined;
      if (next === undefined) break;
      error = next;
    }
    this.count(counts, batch);
  }

  private async refusalOf(rest: readonly Waiting[]): Promise<ProblemError | undefined> {
    try {
      await this.post(rest, true);
      return undefined; // meanwhile they are fine
    } catch (error) {
      if (error instanceof ProblemError && error.code === 'readings_refused') return error;
      throw error;
    }
  }

  private count(counts: Partial<IngestResult>, batch: readonly Waiting[]): void {
    for (const name of COUNTS) this.result[name] += counts[name] ?? 0;
    this.stored += batch.length;
    this.options.onProgress?.(this.progress);
  }

  private async post(batch: readonly Waiting[], atomic: boolean): Promise<IngestResult> {
    const body = await gzip(bodyOf(batch));
    const encoding: Record<string, string> = typeof body === 'string' ? {} : { 'Content-Encoding': 'gzip' };
    const request = {
      ...this.options,
      method: 'POST',
      path: '/v1/telemetry',
      query: atomic ? { atomic } : {},
      headers: { 'Content-Type': 'application/json', ...encoding },
      body,
      isRepeatable: true,
    } as const;
    return askForJson(this.transport, request, 'ingest_result');
  }
}

function bodyOf(batch: readonly Waiting[]): string {
  return `{"readings":[${batch.map(({ text }) => text).join(',')}]}`;
}

function refusedOf({ index, code, detail }: ReadingError, batch: readonly Waiting[]): RefusedReading {
  const { index: place, reading } = batch[index]!;
  return { index: place, code, detail, reading };
}
