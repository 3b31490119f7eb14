// Where a kind of sensor's decoded payload holds what.
import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Unit } from './calibration.js';
import type { Profile } from './interpret.js';

@Entity('sensor_profiles')
export class SensorProfile {
  @PrimaryColumn('text')
  id: string;

  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' })
  created_at: Date;

  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' })
  updated_at: Date;

  @Column('text')
  name: string;

  @Column('text')
  level_path: string;

  @Column('text')
  level_unit: Unit;

  @Column('text', { nullable: true })
  battery_path: string | null;

  @Column('text', { nullable: true })
  temperature_path: string | null;

  @Column('jsonb', { default: () => `'[]'` })
  reject_when: Profile['reject_when'];
}
