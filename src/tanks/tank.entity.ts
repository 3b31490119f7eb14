// A tank as it is stored. Its properties have the names of its columns and of the API's fields; property initialisers are the defaults of
// a new tank. "key" is internal: readings refer to it, the API never shows it.
import { Column, Entity } from 'typeorm';
import { Stored } from '../platform/database/stored.js';

export const CAPACITY_UNITS = ['liters', 'gallons'] as const;
export type CapacityUnit = (typeof CAPACITY_UNITS)[number];

export const USE_CASES = ['residential', 'commercial', 'industrial'] as const;
export type UseCase = (typeof USE_CASES)[number];

export class Location {
  @Column('text', { nullable: true })
  city: string | null = null;

  @Column('text', { nullable: true })
  country: string | null = null;

  @Column('text', { nullable: true })
  district: string | null = null;

  @Column('double precision', { nullable: true })
  latitude: number | null = null;

  @Column('double precision', { nullable: true })
  longitude: number | null = null;

  @Column('text', { nullable: true })
  postal_code: string | null = null;

  @Column('text', { nullable: true })
  region: string | null = null;

  @Column('text', { nullable: true })
  street: string | null = null;

  @Column('text', { nullable: true })
  street_number: string | null = null;
}

@Entity('tanks')
export class Tank extends Stored {
  /** A bigint, which JavaScript gets as text; the database numbers the tanks. */
  @Column({ type: 'bigint', select: false, insert: false, update: false })
  key: string;

  @Column('text')
  owner_id: string;

  @Column('boolean', { default: false })
  deleted: boolean;

  @Column('text')
  name: string;

  @Column('text', { nullable: true })
  custom_id: string | null = null;

  @Column('text')
  assigned_device_id: string = '';

  @Column('double precision')
  capacity: number;

  @Column('text')
  capacity_unit: CapacityUnit;

  @Column('text', { nullable: true })
  use_case: UseCase | null = null;

  @Column('integer')
  min_fill_alert_percentage: number = 20;

  @Column(() => Location, { prefix: false })
  location: Location = new Location();

  /** For good, which only erase_customer() does. */
  @Column({ type: 'boolean', update: false, default: false })
  erased: boolean;

  /** What is searched, folded: a trigger keeps it. */
  @Column({ type: 'text', select: false, update: false, default: '' })
  search_text: string;
}
