// What a program sees that uses the client of orval.
import type * as api from './build/orval.js';
import { getFleetTank, getTelemetrySeries, listCustomers, sendReadings } from './build/orval.js';
import { same } from './same.js';

export async function read(): Promise<void> {
  const customers = await listCustomers({ size: 100 });
  if (customers.status === 200) same<typeof customers.data, api.CustomerListResponse>(true);
  same<api.CustomerListResponse['data'], api.CustomerResponse[]>(true);
  same<api.CustomerResponse['phone'], string | null>(true);

  const series = await getTelemetrySeries('a');
  if (series.status === 200) same<typeof series.data, api.SeriesResponse>(true);

  const tank = await getFleetTank('a');
  if (tank.status === 200) {
    same<typeof tank.data.consumption, api.ConsumptionResponse | null>(true);
    same<typeof tank.data.use_case, 'residential' | 'commercial' | 'industrial' | null>(true);
  }
  same<api.EventDataResponse['before'], api.EventReadingResponse | null>(true);
}

export async function send(body: api.SentReadings): Promise<void> {
  const result = await sendReadings(body);
  if (result.status === 200) same<typeof result.data, api.IngestResultResponse>(true);
  // @ts-expect-error -- a text would be sent as JSON of a text
  await sendReadings('a text');
}

export function narrow(change: api.ChangeResponse): void {
  if (change.type === 'tank') same<typeof change.data, api.TankResponse | api.DeletedTankResponse>(true);
  if (change.type === 'event') same<typeof change.data, api.EventResponse>(true);
}
