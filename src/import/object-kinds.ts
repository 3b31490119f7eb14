// Customers and tanks as lines of an import: which fields there are, and which column each one fills.
import { CAPACITY_UNITS, USE_CASES } from '../tanks/tank.entity.js';
import { boolean, instant, integer, nullable, number, oneOf, required, text } from './fields.js';
import type { FieldType } from './fields.js';

export interface Field {
  /** As the line calls it; one inside the location has a dot. */
  readonly name: string;
  readonly column: string;
  readonly type: FieldType;
}

export interface ObjectKind {
  readonly object: 'customer' | 'tank';
  readonly table: 'customers' | 'tanks';
  readonly staging: 'staged_customers' | 'staged_tanks';
  /** What a line says beyond id, object, created_at, updated_at and deleted. */
  readonly fields: readonly Field[];
}

const field = (name: string, type: FieldType): Field => ({
  name,
  column: name.replace('location.', ''),
  type,
});

export const CUSTOMER: ObjectKind = {
  object: 'customer',
  table: 'customers',
  staging: 'staged_customers',
  fields: [
    field('email', required(text({ min: 1, max: 320 }))),
    field('name', required(text())),
    field('phone', nullable(text())),
    field('is_verified', required(boolean)),
    field('verified_at', nullable(instant)),
    field('last_seen_at', nullable(instant)),
  ],
};

export const TANK: ObjectKind = {
  object: 'tank',
  table: 'tanks',
  staging: 'staged_tanks',
  fields: [
    field('owner_id', required(text())),
    field('name', required(text())),
    field('custom_id', nullable(text())),
    field('assigned_device_id', required(text())),
    field('capacity', required(number({ above: 0 }))),
    field('capacity_unit', required(oneOf(CAPACITY_UNITS))),
    field('use_case', nullable(oneOf(USE_CASES))),
    field('min_fill_alert_percentage', required(integer({ min: 0, max: 100 }))),
    field('location.city', nullable(text())),
    field('location.country', nullable(text())),
    field('location.district', nullable(text())),
    field('location.latitude', nullable(number({ min: -90, max: 90 }))),
    field('location.longitude', nullable(number({ min: -180, max: 180 }))),
    field('location.postal_code', nullable(text())),
    field('location.region', nullable(text())),
    field('location.street', nullable(text())),
    field('location.street_number', nullable(text())),
  ],
};
