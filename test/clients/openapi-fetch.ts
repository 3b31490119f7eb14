// What a program sees that uses openapi-fetch with the types of openapi-typescript.
import createClient from 'openapi-fetch';
import type { components, paths } from './build/openapi-typescript.js';
import { same } from './same.js';

type Schemas = components['schemas'];
const client = createClient<paths>({ baseUrl: 'http://127.0.0.1:3000' });

export async function read(): Promise<void> {
  const { data: customers } = await client.GET('/v1/customers', { params: { query: { size: 100 } } });
  same<typeof customers, Schemas['CustomerListResponse'] | undefined>(true);
  same<Schemas['CustomerListResponse']['data'], Schemas['CustomerResponse'][]>(true);
  same<Schemas['CustomerResponse']['phone'], string | null>(true);

  const { data: series } = await client.GET('/v1/tanks/{id}/telemetry/series', {
    params: { path: { id: 'a' } },
  });
  same<typeof series, Schemas['SeriesResponse'] | undefined>(true);

  const { data: tank } = await client.GET('/v1/fleet/tanks/{id}', { params: { path: { id: 'a' } } });
  same<NonNullable<typeof tank>['consumption'], Schemas['ConsumptionResponse'] | null>(true);
  same<NonNullable<typeof tank>['use_case'], 'residential' | 'commercial' | 'industrial' | null>(true);
  same<Schemas['EventDataResponse']['before'], Schemas['EventReadingResponse'] | null>(true);
}

export async function send(body: Schemas['SentReadings']): Promise<void> {
  const { data, error } = await client.POST('/v1/telemetry', { body });
  same<typeof data, Schemas['IngestResultResponse'] | undefined>(true);
  same<NonNullable<typeof error>['code'], Schemas['ProblemResponse']['code']>(true);
  // @ts-expect-error -- a text would be sent as JSON of a text
  await client.POST('/v1/telemetry', { body: 'a text' });
}

export function narrow(change: Schemas['ChangeResponse']): void {
  if (change.type === 'tank')
    same<typeof change.data, Schemas['TankResponse'] | Schemas['DeletedTankResponse']>(true);
  if (change.type === 'event') same<typeof change.data, Schemas['EventResponse']>(true);
}
