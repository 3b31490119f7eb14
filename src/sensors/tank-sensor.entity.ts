// The sensor of a tank, and what its newest uplink said.
import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Calibration } from './calibration.js';

@Entity('tank_sensors')
export class TankSensor {
  @PrimaryColumn('bigint', { name: 'tank_key' })
  tankKey: string;

  @Column('text', { name: 'profile_id' })
  profileId: string;

  @Column('jsonb', { nullable: true })
  calibration: Calibration | null;

  /** The last that is known, from an uplink or a status message. */
  @Column('timestamp with time zone', { name: 'battery_at', precision: 3, nullable: true })
  batteryAt: Date | null;

  @Column('double precision', { name: 'battery_percent', nullable: true })
  batteryPercent: number | null;

  /** Null while there was no uplink. */
  @Column('timestamp with time zone', { name: 'received_at', precision: 3, nullable: true })
  receivedAt: Date | null;

  @Column('double precision', { name: 'temperature_celsius', nullable: true })
  temperatureCelsius: number | null;

  @Column('double precision', { name: 'rssi_dbm', nullable: true })
  rssiDbm: number | null;

  @Column('double precision', { name: 'snr_db', nullable: true })
  snrDb: number | null;

  @Column('text', { name: 'gateway_id', nullable: true })
  gatewayId: string | null;

  @Column('bigint', { name: 'frame_counter', nullable: true })
  frameCounter: string | null;

  @Column('double precision', { nullable: true })
  level: number | null;

  @Column('double precision', { name: 'fill_percentage', nullable: true })
  fillPercentage: number | null;
}
