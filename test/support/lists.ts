// The three lists behind one face, for what they all promise: each holds items that differ in nothing but created_at.
import type { TestService } from './app.js';
import { aTank, clear, insertCustomers, insertFleetOf, insertReadings, insertTanks } from './builders.js';

export interface ListKind {
  readonly name: string;
  readonly path: string;
  /** Replaces everything in the database by a list of items created at these moments. */
  fill(service: TestService, moments: readonly string[]): Promise<void>;
}

const OWNER = 'owner-of-the-list';
const TANK = 'tank-of-the-list';

export const LISTS: readonly ListKind[] = [
  {
    name: 'customers',
    path: '/v1/customers',
    async fill({ sql }, moments) {
      await clear(sql);
      const customers = moments.map((created_at) => ({ created_at }));
      await insertCustomers(sql, customers);
    },
  },
  {
    name: 'tanks',
    path: '/v1/tanks',
    async fill({ sql }, moments) {
      await insertFleetOf(sql, { [OWNER]: [] });
      const tanks = moments.map((created_at) => aTank(OWNER, { created_at }));
      await insertTanks(sql, tanks);
    },
  },
  {
    name: 'telemetry',
    path: `/v1/tanks/${TANK}/telemetry`,
    async fill({ sql }, moments) {
      await insertFleetOf(sql, { [OWNER]: [TANK] });
      const readings = moments.map((created_at) => ({ created_at, fill_percentage: 50 }));
      await insertReadings(sql, TANK, readings);
    },
  },
];

/** So many moments, a second apart, newest first as lists show them. */
export function momentsOf(count: number): string[] {
  const newest = Date.UTC(2026, 4, 1, 12);
  return Array.from({ length: count }, (_, i) => new Date(newest - i * 1000).toISOString());
}

interface ListBody {
  readonly data: readonly { readonly created_at: string }[];
}

export function createdAts(body: ListBody): string[] {
  return body.data.map(({ created_at }) => created_at);
}

export const EMPTY_LIST = { object: 'list', data: [], page: 1, size: 10, total_pages: 0, total_items: 0 };
