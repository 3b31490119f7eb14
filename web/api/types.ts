// The objects of the public API that the page shows, as docs/api.md describes them.

export interface List<T> {
  readonly data: readonly T[];
  readonly page: number;
  readonly size: number;
  readonly total_pages: number;
  readonly total_items: number;
}

/** The key that asks. */
export interface OwnKey {
  readonly scopes: readonly string[];
  /** The one customer whose things it sees; null: all. */
  readonly customer_id: string | null;
}

export interface Fleet {
  readonly tanks: number;
  readonly reported: number;
  readonly never_reported: number;
  readonly low: number;
  readonly silent: number;
  readonly low_and_silent: number;
}

export interface Location {
  readonly city: string | null;
  readonly country: string | null;
  readonly district: string | null;
  readonly latitude: number | null;
  readonly longitude: number | null;
  readonly postal_code: string | null;
  readonly region: string | null;
  readonly street: string | null;
  readonly street_number: string | null;
}

/** What a visitor may enter. */
export interface TankFields {
  readonly name: string;
  readonly custom_id: string | null;
  readonly assigned_device_id: string;
  readonly owner_id: string;
  readonly use_case: UseCase | null;
  readonly capacity: number;
  readonly capacity_unit: (typeof CAPACITY_UNITS)[number];
  readonly min_fill_alert_percentage: number;
  readonly location: Location;
}

export interface Tank extends TankFields {
  readonly id: string;
  readonly deleted?: never;
}

export interface DeletedTank {
  readonly id: string;
  readonly deleted: true;
}

export interface TankStatus extends TankFields {
  readonly tank_id: string;
  readonly owner_name: string | null;
  readonly reported_at: string | null;
  readonly fill_percentage: number | null;
  readonly volume: number | null;
  readonly reported: boolean;
  readonly low: boolean;
  readonly silent: boolean;
  readonly silent_after_seconds: number;
}

export const CAPACITY_UNITS = ['liters', 'gallons'] as const;
export const USE_CASES = ['residential', 'commercial', 'industrial'] as const;
export type UseCase = (typeof USE_CASES)[number];

export interface Consumption {
  readonly percent_per_day: number;
  readonly days_left: number;
  readonly days_to_alert: number;
  readonly since: string;
}

export interface TankDetail extends TankStatus {
  readonly consumption: Consumption | null;
}

/** A deleted customer has the first two only. */
export interface Customer {
  readonly id: string;
  readonly deleted?: true;
  readonly name?: string;
  readonly email?: string;
  readonly phone?: string | null;
}

export type EventType = 'tank.low' | 'tank.recovered' | 'tank.refilled' | 'tank.silent' | 'tank.reporting';

interface EventReading {
  readonly created_at: string;
  readonly fill_percentage: number;
}

export interface TankEvent {
  readonly id: string;
  readonly type: EventType;
  readonly created_at: string;
  readonly tank_id: string;
  readonly data: {
    readonly reading: EventReading;
    readonly before: EventReading | null;
    readonly min_fill_alert_percentage: number;
    readonly tank: { readonly name: string };
  };
}

/** As far as the page looks at it. */
export type Change =
  | { readonly type: 'customer' | 'tank' | 'telemetry'; readonly id: string }
  | { readonly type: 'event'; readonly id: string; readonly data: TankEvent };

export interface Changes {
  readonly data: readonly Change[];
  readonly next: string;
  readonly has_more: boolean;
}

export interface Bucket {
  readonly start: string;
  readonly count: number;
  readonly first: number | null;
  readonly last: number | null;
  readonly min: number | null;
  readonly max: number | null;
  readonly mean: number | null;
}

export interface Gap {
  readonly from: string;
  /** Null: it lasts until now. */
  readonly to: string | null;
}

export interface Refill {
  readonly at: string;
  readonly from: number;
  readonly to: number;
}

export interface Series {
  readonly created_at_gte: string;
  readonly created_at_lte: string;
  readonly interval_seconds: number;
  readonly total_items: number;
  readonly data: readonly Bucket[];
  readonly gaps: readonly Gap[];
  readonly gaps_total: number;
  readonly refills: readonly Refill[];
  readonly refills_total: number;
}
