// Tanks.
import { Objects } from './objects.js';
import type { RequestOptions, Transport } from './transport.js';
import type { DeletedTank, ListTanksQuery, Tank, TankInput, TankPatch } from './types.js';

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
}
