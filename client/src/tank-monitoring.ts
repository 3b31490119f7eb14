// The client: every operation of the service, by what it is about.
import { Changes } from './changes.js';
import { Customers } from './customers.js';
import { Events } from './events.js';
import { Fleet } from './fleet.js';
import { Health } from './health.js';
import { Tanks } from './tanks.js';
import { Telemetry } from './telemetry.js';
import { Transport, type ClientOptions } from './transport.js';

export class TankMonitoring {
  readonly changes: Changes;
  readonly customers: Customers;
  readonly events: Events;
  readonly fleet: Fleet;
  readonly health: Health;
  readonly tanks: Tanks;
  readonly telemetry: Telemetry;

  constructor(options: ClientOptions) {
    const transport = new Transport(options);
    this.changes = new Changes(transport);
    this.customers = new Customers(transport);
    this.events = new Events(transport);
    this.fleet = new Fleet(transport);
    this.health = new Health(transport);
    this.tanks = new Tanks(transport);
    this.telemetry = new Telemetry(transport);
  }
}
