// Sensors: where the payloads of a kind of sensor hold what (profiles), and which sensor a tank has.
import { askForJson } from './json.js';
import { Objects, write, type PutOptions, type WriteOptions } from './objects.js';
import { address, type RequestOptions, type Transport } from './transport.js';
import type {
  DeletedSensor,
  DeletedSensorProfile,
  ListSensorProfilesQuery,
  Sensor,
  SensorInput,
  SensorProfile,
  SensorProfileInput,
  SensorProfilePatch,
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
