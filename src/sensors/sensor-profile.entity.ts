// Where a kind of sensor's decoded payload holds what.
import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Unit } from './calibration.js';
import type { Profile } from './interpret.js';

@Entity('sensor_profiles')
export class SensorProfile {
  @PrimaryColumn('text')
  id: string;

  @Column('timestamp with time zone', { name: 'created_at', precision: 3, default: () => 'now()' })
  createdAt: Date;

  @Column('timestamp with time zone', { name: 'updated_at', precision: 3, default: () => 'now()' })
  updatedAt: Date;

  @Column('text')
  name: string;

  @Column('text', { name: 'level_path' })
  levelPath: string;

  @Column('text', { name: 'level_unit' })
  levelUnit: Unit;

  @Column('text', { name: 'battery_path', nullable: true })
  batteryPath: string | null;

  @Column('text', { name: 'temperature_path', nullable: true })
  temperaturePath: string | null;

  @Column('jsonb', { name: 'reject_when', default: () => `'[]'` })
  rejectWhen: Profile['reject_when'];
}
