// The client: every operation of the service, by what it is about.
import { Activities } from './activity.js';
import { Changes } from './changes.js';
import { Customers } from './customers.js';
import { Events } from './events.js';
import { Fleet } from './fleet.js';
import { Forecasts } from './forecasts.js';
import { Health } from './health.js';
import { Key, Keys } from './keys.js';
import { Recipients } from './recipients.js';
import { Runs } from './runs.js';
import { SensorProfiles, Sensors, Sources } from './sensors.js';
import { Tanks } from './tanks.js';
import { Telemetry } from './telemetry.js';
import { Uplinks } from './uplinks.js';
import { Users } from './users.js';
import { WebhookEndpoints } from './webhook-endpoints.js';
import { Transport, type ClientOptions, type RequestOptions } from './transport.js';

/** An address of the API, for `request`. */
export interface Address extends RequestOptions {
  /** Such as `/v1/tanks`. */
  readonly path: string;
  readonly query?: object | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

export class TankMonitoring {
  readonly activity: Activities;
  readonly changes: Changes;
  readonly customers: Customers;
  readonly events: Events;
  readonly fleet: Fleet;
  readonly forecasts: Forecasts;
  readonly health: Health;
  readonly key: Key;
  readonly keys: Keys;
  readonly recipients: Recipients;
  readonly runs: Runs;
  readonly sensorProfiles: SensorProfiles;
  readonly sources: Sources;
  readonly sensors: Sensors;
  readonly tanks: Tanks;
  readonly telemetry: Telemetry;
  readonly uplinks: Uplinks;
  readonly users: Users;
  readonly webhookEndpoints: WebhookEndpoints;

  private readonly transport: Transport;

  constructor(options: ClientOptions) {
    const transport = new Transport(options);
    this.transport = transport;
    this.activity = new Activities(transport);
    this.changes = new Changes(transport);
    this.customers = new Customers(transport);
    this.events = new Events(transport);
    this.fleet = new Fleet(transport);
    this.forecasts = new Forecasts(transport);
    this.health = new Health(transport);
    this.key = new Key(transport);
    this.keys = new Keys(transport);
    this.recipients = new Recipients(transport);
    this.runs = new Runs(transport);
    this.sensorProfiles = new SensorProfiles(transport);
    this.sources = new Sources(transport);
    this.sensors = new Sensors(transport);
    this.tanks = new Tanks(transport);
    this.telemetry = new Telemetry(transport);
    this.uplinks = new Uplinks(transport);
    this.users = new Users(transport);
    this.webhookEndpoints = new WebhookEndpoints(transport);
  }

  /** Reads any address in any way: a list as CSV, for example. When the connection is lost meanwhile, it is asked for anew. */
  request<T>(address: Address, read: (response: Response) => Promise<T>): Promise<T> {
    return this.transport.send({ ...address, isRepeatable: true }, read);
  }
}
