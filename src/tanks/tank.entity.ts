// A tank as it is stored. "key" is internal: readings refer to it, the API never shows it.
import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { CapacityUnit, UseCase } from './tank.fields.js';

@Entity('tanks')
export class Tank {
  @PrimaryColumn('text', { default: () => 'new_id()' })
  id: string;

  /** A bigint, which JavaScript gets as text; the database numbers the tanks. */
  @Column({ type: 'bigint', select: false, insert: false, update: false })
  key: string;

  @Column('text', { name: 'owner_id' })
  ownerId: string;

  @Column('timestamp with time zone', { name: 'created_at', precision: 3, default: () => 'now()' })
  createdAt: Date;

  @Column('timestamp with time zone', { name: 'updated_at', precision: 3, default: () => 'now()' })
  updatedAt: Date;

  @Column('boolean', { default: false })
  deleted: boolean;

  @Column('text')
  name: string;

  @Column('text', { name: 'custom_id', nullable: true })
  customId: string | null;

  @Column('text', { name: 'assigned_device_id' })
  assignedDeviceId: string;

  @Column('double precision')
  capacity: number;

  @Column('text', { name: 'capacity_unit' })
  capacityUnit: CapacityUnit;

  @Column('text', { name: 'use_case', nullable: true })
  useCase: UseCase | null;

  @Column('integer', { name: 'min_fill_alert_percentage' })
  minFillAlertPercentage: number;

  @Column('text', { nullable: true })
  city: string | null;

  @Column('text', { nullable: true })
  country: string | null;

  @Column('text', { nullable: true })
  district: string | null;

  @Column('double precision', { nullable: true })
  latitude: number | null;

  @Column('double precision', { nullable: true })
  longitude: number | null;

  @Column('text', { name: 'postal_code', nullable: true })
  postalCode: string | null;

  @Column('text', { nullable: true })
  region: string | null;

  @Column('text', { nullable: true })
  street: string | null;

  @Column('text', { name: 'street_number', nullable: true })
  streetNumber: string | null;
}
