// What a program sees that uses the client of orval.
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
} from './build/orval.js';
import { same } from './same.js';

export async function read(): Promise<void> {
  const customers = await listCustomers({ size: 100 });
  if (customers.status === 200) same<typeof customers.data, CustomerListResponse>(true);
  same<CustomerListResponse['data'], CustomerResponse[]>(true);
  same<CustomerResponse['phone'], string | null>(true);

  const series = await getTelemetrySeries('a');
  if (series.status === 200) same<typeof series.data, SeriesResponse>(true);

  const tank = await getFleetTank('a');
  if (tank.status === 200) {
    same<typeof tank.data.consumption, ConsumptionResponse | null>(true);
    same<typeof tank.data.use_case, 'residential' | 'commercial' | 'industrial' | null>(true);
  }
  same<EventDataResponse['before'], EventReadingResponse | null>(true);
}

export async function send(body: SentReadings): Promise<void> {
  const result = await sendReadings(body);
  if (result.status === 200) same<typeof result.data, IngestResultResponse>(true);
  // @ts-expect-error -- a text would be sent as JSON of a text
  await sendReadings('a text');
}

export function narrow(change: ChangeResponse): void {
  if (change.type === 'tank') same<typeof change.data, TankResponse | DeletedTankResponse>(true);
  if (change.type === 'event') same<typeof change.data, EventResponse>(true);
}
