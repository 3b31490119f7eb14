// What a program sees that uses the client of @hey-api/openapi-ts.
import type * as api from './build/hey-api/index.js';
import { getFleetTank, getTelemetrySeries, listCustomers, sendReadings } from './build/hey-api/index.js';
import { same } from './same.js';

export async function read(): Promise<void> {
  const { data: customers } = await listCustomers({ query: { size: 100 } });
  same<typeof customers, api.CustomerListResponse | undefined>(true);
  same<api.CustomerListResponse['data'], api.CustomerResponse[]>(true);
  same<api.CustomerResponse['phone'], string | null>(true);

  const { data: series } = await getTelemetrySeries({ path: { id: 'a' } });
  same<typeof series, api.SeriesResponse | undefined>(true);

  const { data: tank } = await getFleetTank({ path: { id: 'a' } });
  same<NonNullable<typeof tank>['consumption'], api.ConsumptionResponse | null>(true);
  same<NonNullable<typeof tank>['use_case'], 'residential' | 'commercial' | 'industrial' | null>(true);
  same<api.EventDataResponse['before'], api.EventReadingResponse | null>(true);
}

export async function send(body: api.SentReadings): Promise<void> {
  const { data } = await sendReadings({ body });
  same<typeof data, api.IngestResultResponse | undefined>(true);
  // @ts-expect-error -- a text would be sent as JSON of a text
  await sendReadings({ body: 'a text' });
}

export function narrow(change: api.ChangeResponse): void {
  if (change.type === 'tank') same<typeof change.data, api.TankResponse | api.DeletedTankResponse>(true);
  if (change.type === 'event') same<typeof change.data, api.EventResponse>(true);
}
