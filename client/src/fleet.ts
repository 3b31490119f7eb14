// The state of the fleet now.
import { askForJson } from './json.js';
import { pageOf, walkPages } from './lists.js';
import { address, type RequestOptions, type Transport } from './transport.js';
import type {
  Fleet as FleetSummary,
  GetFleetQuery,
  List,
  ListFleetTanksQuery,
  TankStatus,
  TankStatusWithConsumption,
} from './types.js';

export class Fleet {
  readonly tanks: FleetTanks;

  constructor(private readonly transport: Transport) {
    this.tanks = new FleetTanks(transport);
  }

  /** How many tanks there are, are low, have fallen silent. */
  get(query: GetFleetQuery = {}, options: RequestOptions = {}): Promise<FleetSummary> {
    return askForJson(this.transport, { ...options, path: '/v1/fleet', query, isRepeatable: true });
  }
}

export class FleetTanks {
  constructor(private readonly transport: Transport) {}

  /**
   * Every tank's state, lowest fill level first unless `sort` says otherwise. Asked for 10,000 at once: in a larger fleet, tanks whose
   * place changes in between come at the end.
   */
  list(
    query: Omit<ListFleetTanksQuery, 'page' | 'size'> = {},
    options: RequestOptions = {},
  ): AsyncGenerator<TankStatus, void, undefined> {
    return walkPages<TankStatus>(this.transport, '/v1/fleet/tanks', query, options, ({ tank_id }) => tank_id);
  }

  /** One page of the list, and how many there are. */
  page(query: ListFleetTanksQuery = {}, options: RequestOptions = {}): Promise<List<TankStatus>> {
    return pageOf(this.transport, '/v1/fleet/tanks', query, options);
  }

  /** The state of one tank, with how fast it is used up. */
  async get(tankId: string, options: RequestOptions = {}): Promise<TankStatusWithConsumption> {
    return askForJson(this.transport, {
      ...options,
      path: address`/v1/fleet/tanks/${tankId}`,
      isRepeatable: true,
    });
  }
}
