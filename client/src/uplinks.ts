// Uplinks: messages of sensors as network servers send them, and those that could not become readings.
import { askForJson } from './json.js';
import { pageOf, walk, type WalkQuery } from './lists.js';
import { address, type RequestOptions, type Transport } from './transport.js';
import type {
  DeletedUplink,
  List,
  ListUplinksQuery,
  RetryResult,
  SendChirpStackUplinkQuery,
  SendGenericUplinkQuery,
  SendSourceUplinkQuery,
  SendTtsUplinkQuery,
  SourceResult,
  SourceResults,
  Uplink,
  UplinkResult,
  WholeUplink,
} from './types.js';

export interface RetryUplinks {
  /** Only those of this device. */
  device_id?: string | undefined;
  /** The `next` of the call before. */
  after?: string | undefined;
}

export interface GenericUplink {
  device_id: string;
  /** An RFC 3339 datetime or a Unix time; the moment of arrival without it. */
  time?: string | number;
  payload: object;
  battery_percent?: number;
  rssi_dbm?: number;
  snr_db?: number;
}

export class Uplinks {
  constructor(private readonly transport: Transport) {}

  /** All that wait in quarantine, newest first. */
  list(
    query: WalkQuery<ListUplinksQuery> = {},
    options: RequestOptions = {},
  ): AsyncGenerator<Uplink, void, undefined> {
    return walk<Uplink>(this.transport, '/v1/uplinks', query, options, ({ id }) => id);
  }

  /** One page of the list, and how many there are. */
  page(query: ListUplinksQuery = {}, options: RequestOptions = {}): Promise<List<Uplink>> {
    return pageOf(this.transport, '/v1/uplinks', query, options);
  }

  /** One of them, with the message as it was sent. */
  async get(id: string, options: RequestOptions = {}): Promise<WholeUplink> {
    return askForJson(this.transport, { ...options, path: address`/v1/uplinks/${id}`, isRepeatable: true });
  }

  /** Not repeated when the answer is lost: a discarded one is not there. */
  async discard(id: string, options: RequestOptions = {}): Promise<DeletedUplink> {
    const request = { ...options, path: address`/v1/uplinks/${id}`, isRepeatable: false };
    return askForJson(this.transport, { ...request, method: 'DELETE' });
  }

  /**
   * Tries again what waits, oldest first, up to 1,000 at once; `next` is the `after` to go on with. Not repeated when the answer is lost:
   * the next one would not count what the lost one has stored. To call it again does no harm.
   */
  retry(body: RetryUplinks = {}, options: RequestOptions = {}): Promise<RetryResult> {
    return this.post('/v1/uplinks/retry', body, {}, options, false);
  }

  /** A message of ChirpStack's HTTP integration, as it is. */
  sendChirpStack(
    message: object,
    query: SendChirpStackUplinkQuery = {},
    options: RequestOptions = {},
  ): Promise<UplinkResult> {
    return this.post('/v1/uplinks/chirpstack', message, query, options);
  }

  /** A message of a webhook of The Things Stack, as it is. */
  sendTts(
    message: object,
    query: SendTtsUplinkQuery = {},
    options: RequestOptions = {},
  ): Promise<UplinkResult> {
    return this.post('/v1/uplinks/tts', message, query, options);
  }

  /** A message of any sensor. Not repeated without a `time`: it would be a second reading. */
  sendGeneric(
    message: GenericUplink,
    query: SendGenericUplinkQuery = {},
    options: RequestOptions = {},
  ): Promise<UplinkResult> {
    return this.post('/v1/uplinks/generic', message, query, options, 'time' in message);
  }

  /** What any sender sends, by its source: any JSON. Not repeated: without a time in it, it would be a second reading. */
  sendBySource(
    sourceId: string,
    message: unknown,
    query: SendSourceUplinkQuery = {},
    options: RequestOptions = {},
  ): Promise<SourceResult | SourceResults> {
    return this.post(address`/v1/uplinks/sources/${sourceId}`, message, query, options, false);
  }

  private async post<T extends object>(
    path: string,
    body: unknown,
    query: object,
    options: RequestOptions,
    isRepeatable = true,
  ): Promise<T> {
    const headers = { 'Content-Type': 'application/json' };
    const request = { path, query, headers, body: JSON.stringify(body), isRepeatable };
    return askForJson(this.transport, { ...options, ...request, method: 'POST' });
  }
}
