// Tanks.
import { askForJson } from './json.js';
import { Objects, type WriteOptions } from './objects.js';
import { address, type RequestOptions, type Transport } from './transport.js';
import type { DeletedTank, ListTanksQuery, Tank, TankForecast, TankInput, TankPatch } from './types.js';

export class Tanks extends Objects<Tank, DeletedTank, TankInput, TankPatch, ListTanksQuery> {
  constructor(transport: Transport) {
    super(transport, '/v1/tanks');
  }

  /** One that was deleted has `deleted: true`, and no other fields than its id. */
  get(id: string, options: RequestOptions = {}): Promise<Tank | DeletedTank> {
    return this.find(id, options);
  }

  /** The service makes the id. Lost answers are not asked for again: `put` with an id of yours can be repeated. */
  create(input: TankInput, options: RequestOptions = {}): Promise<Tank> {
    return this.make(input, options);
  }

  /** Brings a deleted one back as it was; one that is there stays as it is. */
  restore(id: string, options: WriteOptions = {}): Promise<Tank> {
    return this.bringBack(id, options);
  }

  /** When it reaches its alert, when it is empty, and its level on the next 30 days, if nobody delivers. */
  async forecast(id: string, options: RequestOptions = {}): Promise<TankForecast> {
    return askForJson(this.transport, {
      ...options,
      path: address`/v1/tanks/${id}/forecast`,
      isRepeatable: true,
    });
  }
}
