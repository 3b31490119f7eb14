// Sensors: where the payloads of a kind of sensor hold what (profiles), and which sensor a tank has.
import { askForJson } from './json.js';
import { Objects, write, type PutOptions, type WriteOptions } from './objects.js';
import { address, type RequestOptions, type Transport } from './transport.js';
import type {
  DeletedSensor,
  DeletedSensorProfile,
  DeletedSource,
  DeletedSourceToken,
  ListSensorProfilesQuery,
  ListSourcesQuery,
  Sensor,
  SensorInput,
  SensorProfile,
  SensorProfileInput,
  SensorProfilePatch,
  Source,
  SourceInput,
  SourcePatch,
  SourceTest,
  SourceTestInput,
  SourceTests,
  SourceToken,
} from './types.js';

export class SensorProfiles extends Objects<
  SensorProfile,
  DeletedSensorProfile,
  SensorProfileInput,
  SensorProfilePatch,
  ListSensorProfilesQuery
> {
  constructor(transport: Transport) {
    super(transport, '/v1/sensor_profiles');
  }

  get(id: string, options: RequestOptions = {}): Promise<SensorProfile> {
    return this.find(id, options);
  }

  /** Not repeated when the answer is lost: a deleted one is not there. */
  override delete(id: string, options: WriteOptions = {}): Promise<DeletedSensorProfile> {
    return this.remove(id, options, false);
  }
}

/** Where device, time and payload are in what senders send. */
export class Sources extends Objects<Source, DeletedSource, SourceInput, SourcePatch, ListSourcesQuery> {
  constructor(private readonly transportOfSources: Transport) {
    super(transportOfSources, '/v1/sources');
  }

  get(id: string, options: RequestOptions = {}): Promise<Source> {
    return this.find(id, options);
  }

  /** Not repeated when the answer is lost: a deleted one is not there. */
  override delete(id: string, options: WriteOptions = {}): Promise<DeletedSource> {
    return this.remove(id, options, false);
  }

  /** What a message would become by a source that is not stored. */
  async test(body: SourceTestInput, options: RequestOptions = {}): Promise<SourceTest | SourceTests> {
    const headers = { 'Content-Type': 'application/json' };
    const request = { path: '/v1/sources/test', headers, body: JSON.stringify(body), isRepeatable: true };
    return askForJson(this.transportOfSources, { ...options, ...request, method: 'POST' });
  }

  /** The address of a sender that has no headers. The one before ends. */
  makeToken(id: string, options: RequestOptions = {}): Promise<SourceToken> {
    return write(this.transportOfSources, 'POST', address`/v1/sources/${id}/token`, {}, options, false);
  }

  removeToken(id: string, options: RequestOptions = {}): Promise<DeletedSourceToken> {
    return write(this.transportOfSources, 'DELETE', address`/v1/sources/${id}/token`, undefined, options);
  }
}

export class Sensors {
  constructor(private readonly transport: Transport) {}

  /** The sensor of a tank, and what its newest uplink said. */
  async get(tankId: string, options: RequestOptions = {}): Promise<Sensor> {
    return askForJson(this.transport, { ...options, path: addressOf(tankId), isRepeatable: true });
  }

  async put(tankId: string, sensor: SensorInput, options: PutOptions = {}): Promise<Sensor> {
    return write(this.transport, 'PUT', addressOf(tankId), sensor, options);
  }

  /** Not repeated when the answer is lost: a deleted one is not there. */
  async delete(tankId: string, options: WriteOptions = {}): Promise<DeletedSensor> {
    return write(this.transport, 'DELETE', addressOf(tankId), undefined, options, false);
  }
}

function addressOf(tankId: string): string {
  return address`/v1/tanks/${tankId}/sensor`;
}
