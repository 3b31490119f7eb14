// The client: every operation of the service, by what it is about.
import { Changes } from './changes.js';
import { Customers } from './customers.js';
import { Events } from './events.js';
import { Fleet } from './fleet.js';
import { Health } from './health.js';
import { Key } from './key.js';
import { SensorProfiles, Sensors } from './sensors.js';
import { Tanks } from './tanks.js';
import { Telemetry } from './telemetry.js';
import { Uplinks } from './uplinks.js';
import { Transport, type ClientOptions } from './transport.js';

export class TankMonitoring {
  readonly changes: Changes;
  readonly customers: Customers;
  readonly events: Events;
  readonly fleet: Fleet;
  readonly health: Health;
  readonly key: Key;
  readonly sensorProfiles: SensorProfiles;
  readonly sensors: Sensors;
  readonly tanks: Tanks;
  readonly telemetry: Telemetry;
  readonly uplinks: Uplinks;

  constructor(options: ClientOptions) {
    const transport = new Transport(options);
    this.changes = new Changes(transport);
    this.customers = new Customers(transport);
    this.events = new Events(transport);
    this.fleet = new Fleet(transport);
    this.health = new Health(transport);
    this.key = new Key(transport);
    this.sensorProfiles = new SensorProfiles(transport);
    this.sensors = new Sensors(transport);
    this.tanks = new Tanks(transport);
    this.telemetry = new Telemetry(transport);
    this.uplinks = new Uplinks(transport);
  }
}
