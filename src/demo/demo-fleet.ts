// The demo's customers and tanks, as the API shows them. Every demo has the same ones with the same ids; only their times depend on
// when it is filled.
import type { CustomerResponse } from '../customers/dto/customer.response.js';
import type { LocationResponse, TankResponse } from '../tanks/dto/tank.response.js';
import type { CapacityUnit, UseCase } from '../tanks/tank.entity.js';
import { PLACES, type Place, type Spot } from './demo-places.js';
import { Dice } from './demo-random.js';
import { DAY, type Kind } from './demo-readings.js';

type Customer = Omit<CustomerResponse, 'tank_count'> & { deleted?: true };

export interface DemoTank {
  readonly tank: TankResponse & { deleted?: true };
  readonly ownerName: string;
  readonly kind: Kind;
  /** Of its city: a tank's own position may be unknown. */
  readonly latitude: number;
}

interface Account {
  readonly customer: Customer;
  /** In the calendar the fleet is written in. */
  readonly created: number;
  readonly kind: Kind;
  readonly place: Place;
}

/** From the calendar the fleet is written in to the demo's own. */
type ToIso = (calendar: number) => string;
type Site = Spot & { readonly streetNumber: string };

const HOUR = 3_600_000;
const FIRST_READING = Date.parse('2026-01-01T00:00:00.000Z');
const LAST_READING = Date.parse('2026-10-31T23:59:59.999Z');
export const HISTORY_MS = LAST_READING - FIRST_READING;
const OPENING = Date.parse('2024-03-04T08:00:00.000Z');

/** These customers were entered at the same moment. */
const BATCH = Date.parse('2025-03-03T09:00:00.000Z');
const IN_BATCH: ReadonlySet<string> = new Set([
  'Josef Brandl',
  'Wiebke Lührs',
  'Sabine Krüger',
  'Priya Nair',
  'Säve Gård',
  'Saguaro Inn',
]);

const DELETED_AT = LAST_READING - 40 * DAY;

const WITHOUT_TANKS = 'Oleg Petrenko';
const WITH_A_DOZEN = 'Nordhafen Energie GmbH';
const DELETED_CUSTOMERS: ReadonlySet<string> = new Set([
  'Marco Bassi',
  'Emily Carter',
  'The Citadel Guesthouse',
]);
/** Sold or scrapped: by owner, the number of the tank. */
const DELETED_TANKS: ReadonlyMap<string, number> = new Map([
  ['Brauhaus Giesinger Berg', 2],
  ['Ferme des Monts d’Or', 1],
  ['Old Pueblo Asphalt', 3],
]);
/** The family also runs the farm and uses one address for both: emails are not unique. */
const SHARED_EMAIL: ReadonlyMap<string, string> = new Map([['Biohof Moosrain', 'anna.huber@example.com']]);

const TANKS_PER: Record<Kind, readonly [number, number]> = {
  household: [1, 1],
  farm: [2, 3],
  hotel: [2, 3],
  plant: [3, 6],
};
const USE_CASE: Record<Kind, UseCase> = {
  household: 'residential',
  farm: 'commercial',
  hotel: 'commercial',
  plant: 'industrial',
};
const CAPACITIES: Record<CapacityUnit, Record<Kind, readonly [number, ...number[]]>> = {
  liters: {
    household: [1000, 1775, 2700, 4850],
    farm: [2700, 4850, 6400],
    hotel: [4850, 6400, 12500.5],
    plant: [20_000, 50_000, 110_000],
  },
  gallons: {
    household: [120, 250, 499.5],
    farm: [500, 1000],
    hotel: [1000, 1990],
    plant: [6500, 18_000, 30_000],
  },
};
const TANK_NAMES: Record<Kind, readonly [string, ...string[]]> = {
  household: ['Home', 'Garden tank', 'Heating', 'Cottage'],
  farm: ['Grain dryer', 'Greenhouse', 'Farmhouse', 'Brooder barn'],
  hotel: ['Kitchen', 'Boiler room', 'Pool heating', 'Laundry'],
  plant: ['Process heat', 'Steam boiler', 'Forklift filling', 'Yard', 'Reserve', 'Hall heating'],
};

/** With a history that ends at `end`. */
export function demoFleet(end: number): { customers: Customer[]; tanks: DemoTank[] } {
  const toIso: ToIso = (calendar) => new Date(calendar + end - LAST_READING).toISOString();
  const accounts = PLACES.flatMap((place) => accountsOf(place, toIso));
  return {
    customers: accounts.map(({ customer }) => customer),
    tanks: accounts.flatMap((account) => tanksOf(account, toIso)),
  };
}

function accountsOf(place: Place, toIso: ToIso): Account[] {
  const [farm, hotel, plant] = place.businesses;
  return [
    ...place.households.map((name) => accountOf(name, 'household', place, toIso)),
    accountOf(farm, 'farm', place, toIso),
    accountOf(hotel, 'hotel', place, toIso),
    accountOf(plant, 'plant', place, toIso),
  ];
}

function accountOf(name: string, kind: Kind, place: Place, toIso: ToIso): Account {
  const dice = new Dice(`customer ${name}`);
  const created = IN_BATCH.has(name) ? BATCH : Math.floor(dice.between(OPENING, FIRST_READING + 200 * DAY));
  const isDeleted = DELETED_CUSTOMERS.has(name);
  const isVerified = dice.chance(0.8);
  // Accounts taken over from an older system are verified, but nobody knows since when.
  const verified =
    isVerified && dice.chance(0.85) ? created + Math.floor(dice.between(60_000, 3 * DAY)) : null;
  const end = isDeleted ? DELETED_AT : LAST_READING;
  const seen = dice.chance(0.85)
    ? Math.floor(dice.between(Math.max(created + 4 * DAY, FIRST_READING), end))
    : null;
  const customer: Customer = {
    object: 'customer',
    id: dice.uuid(created),
    created_at: toIso(created),
    email: SHARED_EMAIL.get(name) ?? emailOf(name, dice),
    is_verified: isVerified,
    last_seen_at: seen === null ? null : toIso(seen),
    name,
    phone: kind === 'household' && dice.chance(0.25) ? null : phoneOf(place, dice),
    updated_at: toIso(isDeleted ? DELETED_AT : Math.max(verified ?? created, seen ?? created)),
    verified_at: verified === null ? null : toIso(verified),
    ...(isDeleted && { deleted: true }),
  };
  return { customer, created, kind, place };
}

function emailOf(name: string, dice: Dice): string {
  const plain = name.toLowerCase().replaceAll('ß', 'ss').replaceAll('ı', 'i').normalize('NFD');
  const local = plain.replaceAll(/[^a-z0-9 ]/g, '').replaceAll(' ', '.');
  return `${local}@${dice.pick('example.com', 'example.com', 'example.org', 'example.net')}`;
}

function phoneOf(place: Place, dice: Dice): string | null {
  return place.phone?.replaceAll('#', () => String(dice.whole(0, 9))) ?? null;
}

function tanksOf(account: Account, toIso: ToIso): DemoTank[] {
  const { customer, kind, place } = account;
  const { name } = customer;
  if (name === WITHOUT_TANKS) return [];
  const dice = new Dice(`tanks ${name}`);
  const count = name === WITH_A_DOZEN ? 12 : dice.whole(...TANKS_PER[kind]);
  // A business has its tanks on one site.
  const site = dice.pick(...place.spots);
  const streetNumber = dice.chance(0.1) ? `${dice.whole(1, 60)}a` : String(dice.whole(1, 180));
  return Array.from({ length: count }, (_, index) => ({
    tank: tankOf(account, index + 1, { ...site, streetNumber }, toIso),
    ownerName: name,
    kind,
    latitude: place.spots[0].latitude,
  }));
}

function tankOf(
  { customer, created: owned, kind, place }: Account,
  number: number,
  site: Site,
  toIso: ToIso,
): DemoTank['tank'] {
  const dice = new Dice(`tank ${customer.name} ${number}`);
  const isOfTheDozen = customer.name === WITH_A_DOZEN;
  const created = isOfTheDozen ? owned + DAY : owned + Math.floor(dice.between(HOUR, 20 * DAY));
  const isDeleted = customer.deleted === true || DELETED_TANKS.get(customer.name) === number;
  const updated = isDeleted ? DELETED_AT : created + (dice.chance(0.4) ? dice.whole(DAY, 60 * DAY) : 0);
  return {
    object: 'tank',
    id: dice.uuid(created),
    assigned_device_id: `70B3D549${dice.hex(8).toUpperCase()}`,
    capacity: dice.pick(...CAPACITIES[place.unit][kind]),
    capacity_unit: place.unit,
    created_at: toIso(created),
    custom_id: customIdOf(customer.name, kind, number, dice),
    location: locationOf(place, site, dice),
    min_fill_alert_percentage: dice.pick(20, 20, 20, 20, 25, 25, 25, 15, 15, 10, 10, 30, 30, 50, 0),
    name: tankName(kind, number),
    owner_id: customer.id,
    updated_at: toIso(updated),
    use_case: dice.chance(0.08) ? null : USE_CASE[kind],
    ...(isDeleted && { deleted: true }),
  };
}

/** Businesses number their assets; households rarely do. */
function customIdOf(owner: string, kind: Kind, number: number, dice: Dice): string | null {
  const isNumbered = kind === 'plant' || dice.chance(kind === 'household' ? 0.15 : 0.7);
  const initials = owner
    .split(' ')
    .map((word) => word.charAt(0).toUpperCase())
    .join('');
  return isNumbered ? `${initials}-${String(number).padStart(2, '0')}` : null;
}

function tankName(kind: Kind, number: number): string {
  const names = TANK_NAMES[kind];
  const name = names[(number - 1) % names.length] ?? names[0];
  return number > names.length ? `${name} ${Math.ceil(number / names.length)}` : name;
}

const NOWHERE: LocationResponse = {
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

/** Some owners gave no address, some devices have no position, a farm track has no number. */
function locationOf(place: Place, site: Site, dice: Dice): LocationResponse {
  const { city, country, region } = place.address;
  if (dice.chance(0.05)) return NOWHERE;
  const hasPosition = dice.chance(0.9);
  const near = (degrees: number): number => Number((degrees + dice.between(-0.002, 0.002)).toFixed(5));
  return {
    city,
    country,
    district: dice.chance(0.85) ? site.district : null,
    latitude: hasPosition ? near(site.latitude) : null,
    longitude: hasPosition ? near(site.longitude) : null,
    postal_code: site.postal_code,
    region,
    street: site.street,
    street_number: dice.chance(0.93) ? site.streetNumber : null,
  };
}
