// A believable fleet for the first look at the service: its customers and their tanks, in the API's own shape. Nothing here
// depends on the clock or on chance: every demo has the same ones under the same ids.
import type { CustomerResponse } from '../customers/dto/customer.response.js';
import type { LocationResponse, TankResponse } from '../tanks/dto/tank.response.js';
import type { CapacityUnit, UseCase } from '../tanks/tank.fields.js';
import { PLACES, type Place, type Spot } from './demo-places.js';
import { Dice } from './demo-random.js';
import { DAY, type Kind } from './demo-readings.js';

export type DemoCustomer = Omit<CustomerResponse, 'tank_count'> & { deleted?: true };
export type DemoTank = Readonly<TankResponse> & { deleted?: true };

export interface Account {
  customer: DemoCustomer;
  kind: Kind;
  place: Place;
}

const HOUR = 3_600_000;
/** The calendar the fleet is written in. Told at another time, all of it is moved by as much. */
export const FIRST_READING = Date.parse('2026-01-01T00:00:00.000Z');
export const LAST_READING = Date.parse('2026-10-31T23:59:59.999Z');
const OPENING = Date.parse('2024-03-04T08:00:00.000Z');

/**
 * A batch of customers and the tanks of one site were entered at once: their order has to be settled by id.
 */
const BATCH = Date.parse('2025-03-03T09:00:00.000Z');
const IN_BATCH: ReadonlySet<string> = new Set([
  'Josef Brandl',
  'Wiebke Lührs',
  'Sabine Krüger',
  'Priya Nair',
  'Säve Gård',
  'Saguaro Inn',
]);

/** When everything that is deleted was. */
const FAREWELL = LAST_READING - 40 * DAY;

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

export interface OwnedTank {
  readonly account: Account;
  readonly tank: DemoTank;
}

export function demoAccounts(): Account[] {
  return PLACES.flatMap(accountsOf);
}

export function demoTanks(accounts: readonly Account[]): OwnedTank[] {
  return accounts.flatMap((account) => tanksOf(account).map((tank) => ({ account, tank })));
}

function accountsOf(place: Place): Account[] {
  const named: [Kind, string][] = [
    ...place.households.map((name): [Kind, string] => ['household', name]),
    ['farm', place.farm],
    ['hotel', place.hotel],
    ['plant', place.plant],
  ];
  return named.map(([kind, name]) => ({ kind, place, customer: customerOf(name, kind, place) }));
}

function customerOf(name: string, kind: Kind, place: Place): DemoCustomer {
  const dice = new Dice(`customer ${name}`);
  const created = IN_BATCH.has(name) ? BATCH : Math.floor(dice.between(OPENING, FIRST_READING + 200 * DAY));
  const isDeleted = DELETED_CUSTOMERS.has(name);
  const isVerified = dice.chance(0.8);
  // Accounts taken over from an older system are verified, but nobody knows since when.
  const verified =
    isVerified && dice.chance(0.85) ? created + Math.floor(dice.between(60_000, 3 * DAY)) : null;
  const seen = dice.chance(0.85)
    ? Math.floor(
        dice.between(Math.max(created + 4 * DAY, FIRST_READING), isDeleted ? FAREWELL : LAST_READING),
      )
    : null;
  const updated = Math.max(verified ?? created, seen ?? created);
  return {
    object: 'customer',
    id: dice.uuid(created),
    created_at: iso(created),
    email: SHARED_EMAIL.get(name) ?? emailOf(name, dice),
    is_verified: isVerified,
    last_seen_at: isoOrNull(seen),
    name,
    phone: kind === 'household' && dice.chance(0.25) ? null : phoneOf(place, dice),
    updated_at: iso(isDeleted ? FAREWELL : updated),
    verified_at: isoOrNull(verified),
    ...(isDeleted ? { deleted: true } : {}),
  };
}

function emailOf(name: string, dice: Dice): string {
  const plain = name.toLowerCase().replaceAll('ß', 'ss').replaceAll('ı', 'i').normalize('NFD');
  const local = plain.replaceAll(/[^a-z0-9 ]/g, '').replaceAll(' ', '.');
  return `${local}@${dice.pick('example.com', 'example.com', 'example.org', 'example.net')}`;
}

function phoneOf(place: Place, dice: Dice): string | null {
  return place.phone?.replaceAll('#', () => String(dice.whole(0, 9))) ?? null;
}

function tanksOf(account: Account): DemoTank[] {
  const { name } = account.customer;
  if (name === WITHOUT_TANKS) return [];
  const dice = new Dice(`tanks ${name}`);
  const count = name === WITH_A_DOZEN ? 12 : dice.whole(...TANKS_PER[account.kind]);
  // A business has its tanks on one site.
  const site = dice.pick(...account.place.spots);
  const streetNumber = dice.chance(0.1) ? `${dice.whole(1, 60)}a` : String(dice.whole(1, 180));
  return Array.from({ length: count }, (_, index) => tankOf(account, index + 1, site, streetNumber));
}

function tankOf(
  { customer, kind, place }: Account,
  number: number,
  site: Spot,
  streetNumber: string,
): DemoTank {
  const dice = new Dice(`tank ${customer.name} ${number}`);
  const owned = Date.parse(customer.created_at);
  const isTied = customer.name === WITH_A_DOZEN;
  const created = isTied ? owned + DAY : owned + Math.floor(dice.between(HOUR, 20 * DAY));
  const isDeleted = customer.deleted === true || DELETED_TANKS.get(customer.name) === number;
  const updated = isDeleted
    ? LAST_READING - 40 * DAY
    : created + (dice.chance(0.4) ? dice.whole(DAY, 60 * DAY) : 0);
  return {
    object: 'tank',
    id: dice.uuid(created),
    assigned_device_id: `70B3D549${dice.hex(8).toUpperCase()}`,
    capacity: dice.pick(...CAPACITIES[place.unit][kind]),
    capacity_unit: place.unit,
    created_at: iso(created),
    custom_id: customIdOf(customer.name, kind, number, dice),
    location: locationOf(place, site, streetNumber, dice),
    min_fill_alert_percentage: dice.pick(20, 20, 20, 20, 25, 25, 25, 15, 15, 10, 10, 30, 30, 50, 0),
    name: tankName(kind, number),
    owner_id: customer.id,
    updated_at: iso(updated),
    use_case: dice.chance(0.08) ? null : USE_CASE[kind],
    ...(isDeleted ? { deleted: true } : {}),
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
function locationOf(place: Place, site: Spot, streetNumber: string, dice: Dice): LocationResponse {
  const { city, country, region } = place;
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
    street_number: dice.chance(0.93) ? streetNumber : null,
  };
}

const iso = (instant: number): string => new Date(instant).toISOString();
const isoOrNull = (instant: number | null): string | null => (instant === null ? null : iso(instant));
