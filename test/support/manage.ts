// Customers and tanks as requests send them, and as answers show them.
import type { Response } from 'supertest';
import type { FieldError } from 'tank-monitoring-client';
import { problem } from './problems.js';

export const NEW_CUSTOMER = { email: 'a@example.com', name: 'A' };
export const NEW_TANK = { name: 'Boiler', owner_id: 'ours', capacity: 2700.5, capacity_unit: 'liters' };

export const NOWHERE = {
  city: null,
  country: null,
  district: null,
  latitude: null,
  longitude: null,
  postal_code: null,
  region: null,
  street: null,
  street_number: null,
};

/** Every field with another value than its default. */
export const FULL_TANK = {
  ...NEW_TANK,
  assigned_device_id: 'device-x',
  custom_id: 'C-1',
  location: {
    city: 'Köln',
    country: 'DE',
    district: 'Nord',
    latitude: 50.94,
    longitude: -6.96,
    postal_code: '50667',
    region: 'NRW',
    street: 'Domstraße 🛢',
    street_number: '1a',
  },
  min_fill_alert_percentage: 35,
  use_case: 'industrial',
};

export const FULL_CUSTOMER = {
  ...NEW_CUSTOMER,
  is_verified: true,
  last_seen_at: '2026-01-02T03:04:05.678Z',
  phone: '+1 206',
  verified_at: '2026-01-01T00:00:00.000Z',
};

export function fieldsProblem(...errors: readonly FieldError[]): object {
  const these = errors.length === 1 ? 'this field' : 'these fields';
  const names = errors.map(({ pointer }) => pointer).join(', ');
  const detail = `Nothing was changed. Fix ${these} and try again: ${names}.`;
  return { ...problem(400, 'invalid_fields', detail), errors };
}

export function tagOf({ headers }: Response): string {
  return headers['etag'] ?? 'none';
}

export function pointersOf({ body }: Response): string[] {
  const { errors } = body as { errors: readonly FieldError[] };
  return errors.map(({ pointer }) => pointer);
}

/** The status, and the code of a problem. */
export function outcomeOf({ status, body }: Response): string {
  const { code } = body as { code?: string };
  return code === undefined ? String(status) : `${status} ${code}`;
}
