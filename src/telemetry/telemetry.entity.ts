// A reading as it is stored, and how many a tank has.
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The tank and the instant are its identity. */
@Entity('telemetry')
export class Telemetry {
  @PrimaryColumn('bigint', { name: 'tank_key' })
  tankKey: string;

  @PrimaryColumn('timestamp with time zone', { name: 'created_at', precision: 3, default: () => 'now()' })
  createdAt: Date;

  @Column('double precision', { name: 'fill_percentage' })
  fillPercentage: number;
}

/** How many readings a tank has: in all, in a month, on a day. The database's triggers keep it. */
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
