// Where a kind of sensor's decoded payload holds what.
import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Unit } from './calibration.js';
import type { HistoryPlace, Rule } from './interpret.js';
import type { BatteryScale, ValuePlace, Scale } from './measured.js';

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

  @Column('jsonb', { default: () => `'{}'` })
  level_scale: Scale & ValuePlace;

  @Column('text', { nullable: true })
  battery_path: string | null;

  @Column('jsonb', { default: () => `'{}'` })
  battery_scale: BatteryScale & ValuePlace;

  @Column('text', { nullable: true })
  temperature_path: string | null;

  @Column('jsonb', { default: () => `'{}'` })
  temperature_scale: Scale & ValuePlace;

  @Column('jsonb', { default: () => `'[]'` })
  reject_when: readonly Rule[];

  /** Null where the profile has none, as the next. */
  @Column('jsonb', { nullable: true })
  ignore_when: readonly Rule[] | null;

  @Column('jsonb', { nullable: true })
  history: HistoryPlace | null;
}
