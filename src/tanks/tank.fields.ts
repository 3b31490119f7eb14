// What a tank is made of: the one list of its fields and their rules, for import, export, statements and requests.
import { describeResource } from '../fields/resource.js';

export const CAPACITY_UNITS = ['liters', 'gallons'] as const;
export type CapacityUnit = (typeof CAPACITY_UNITS)[number];

export const USE_CASES = ['residential', 'commercial', 'industrial'] as const;
export type UseCase = (typeof USE_CASES)[number];

export const TANK = describeResource({
  object: 'tank',
  table: 'tanks',
  fields: {
    owner_id: { type: 'text' },
    name: { type: 'text' },
    custom_id: { type: 'text', nullable: true },
    assigned_device_id: { type: 'text', default: '', inRequests: { max: 255 } },
    capacity: { type: 'number', above: 0 },
    capacity_unit: { type: 'enum', values: CAPACITY_UNITS },
    use_case: { type: 'enum', values: USE_CASES, nullable: true },
    min_fill_alert_percentage: { type: 'integer', min: 0, max: 100, default: 20 },
    'location.city': { type: 'text', nullable: true },
    'location.country': { type: 'text', nullable: true },
    'location.district': { type: 'text', nullable: true },
    'location.latitude': { type: 'number', min: -90, max: 90, nullable: true },
    'location.longitude': { type: 'number', min: -180, max: 180, nullable: true },
    'location.postal_code': { type: 'text', nullable: true },
    'location.region': { type: 'text', nullable: true },
    'location.street': { type: 'text', nullable: true },
    'location.street_number': { type: 'text', nullable: true },
  },
});
