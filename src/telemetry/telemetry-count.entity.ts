// How many readings a tank has: in all, in a month, on a day. The database's triggers keep it.
import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('telemetry_counts')
export class TelemetryCount {
  @PrimaryColumn('bigint', { name: 'tank_key' })
  tankKey: string;

  /** 0 all, 1 a month, 2 a day. */
  @PrimaryColumn('smallint')
  level: number;

  @PrimaryColumn('date')
  start: string;

  @Column('integer')
  n: number;
}
