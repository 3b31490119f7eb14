// What a program sees that uses the client of @hey-api/openapi-ts.
import {
  getFleetTank,
  getTelemetrySeries,
  listCustomers,
  sendReadings,
  type ChangeResponse,
  type ConsumptionResponse,
  type CustomerListResponse,
  type CustomerResponse,
  type DeletedTankResponse,
  type EventDataResponse,
  type EventReadingResponse,
  type EventResponse,
  type IngestResultResponse,
  type SentReadings,
  type SeriesResponse,
  type TankResponse,
} from './build/hey-api/index.js';
import { same } from './same.js';

export async function read(): Promise<void> {
  const { data: customers } = await listCustomers({ query: { size: 100 } });
  same<typeof customers, CustomerListResponse | undefined>(true);
  same<CustomerListResponse['data'], CustomerResponse[]>(true);
  same<CustomerResponse['phone'], string | null>(true);

  const { data: series } = await getTelemetrySeries({ path: { id: 'a' } });
  same<typeof series, SeriesResponse | undefined>(true);

  const { data: tank } = await getFleetTank({ path: { id: 'a' } });
  same<NonNullable<typeof tank>['consumption'], ConsumptionResponse | null>(true);
  same<NonNullable<typeof tank>['use_case'], 'residential' | 'commercial' | 'industrial' | null>(true);
  same<EventDataResponse['before'], EventReadingResponse | null>(true);
}

export async function send(body: SentReadings): Promise<void> {
  const { data } = await sendReadings({ body });
  same<typeof data, IngestResultResponse | undefined>(true);
  // @ts-expect-error -- a text would be sent as JSON of a text
  await sendReadings({ body: 'a text' });
}

export function narrow(change: ChangeResponse): void {
  if (change.type === 'tank') same<typeof change.data, TankResponse | DeletedTankResponse>(true);
  if (change.type === 'event') same<typeof change.data, EventResponse>(true);
}
