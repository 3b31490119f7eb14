// A plan as CSV, for a spreadsheet or a route planner.
import type { TankStatus } from 'tank-monitoring-client';
import { csvOf } from '../parts/save.js';
import { roomIn } from './stops.js';
import type { Owners } from './use-owners.js';

const PLACE = [
  'street',
  'street_number',
  'postal_code',
  'city',
  'district',
  'region',
  'country',
  'latitude',
  'longitude',
] as const;

/** Named as the API names them; `low` tanks have reached their alert and have no instants. */
const COLUMNS = [
  'tank_id',
  'name',
  'custom_id',
  'owner_name',
  'phone',
  ...PLACE,
  'low',
  'alert_p10',
  'alert_p50',
  'alert_p90',
  'fill_percentage',
  'amount',
  'capacity_unit',
];

export function planAsCsv(tanks: readonly TankStatus[], owners: Owners, fillTo: number): string {
  const rows = tanks.map((tank) => {
    const { p10 = null, p50 = null, p90 = null } = tank.forecast?.alert ?? {};
    const amount = roomIn(tank, fillTo);
    return [
      tank.tank_id,
      tank.name,
      tank.custom_id,
      tank.owner_name,
      owners.get(tank.owner_id)?.phone ?? null,
      ...PLACE.map((part) => tank.location[part]),
      String(tank.low),
      p10,
      p50,
      p90,
      tank.fill_percentage,
      amount === undefined ? null : Math.round(amount),
      tank.capacity_unit,
    ];
  });
  return csvOf([COLUMNS, ...rows]);
}
