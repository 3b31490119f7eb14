// The sensor of a tank, and what its newest uplink said.
import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Calibration } from './calibration.js';

@Entity('tank_sensors')
export class TankSensor {
  @PrimaryColumn('bigint')
  tank_key: string;

  @Column('text')
  profile_id: string;

  @Column('jsonb', { nullable: true })
  calibration: Calibration | null;

  /** The last that is known, from an uplink or a status message. */
  @Column('timestamp with time zone', { precision: 3, nullable: true })
  battery_at: Date | null;

  @Column('double precision', { nullable: true })
  battery_percent: number | null;

  /** Null while there was no uplink. */
  @Column('timestamp with time zone', { precision: 3, nullable: true })
  received_at: Date | null;

  @Column('double precision', { nullable: true })
  temperature_celsius: number | null;

  @Column('double precision', { nullable: true })
  rssi_dbm: number | null;

  @Column('double precision', { nullable: true })
  snr_db: number | null;

  @Column('text', { nullable: true })
  gateway_id: string | null;

  @Column('bigint', { nullable: true })
  frame_counter: string | null;

  @Column('double precision', { nullable: true })
  level: number | null;

  @Column('double precision', { nullable: true })
  fill_percentage: number | null;
}
