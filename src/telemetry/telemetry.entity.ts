// A reading as it is stored. SQL writes and reads it, many rows at a time (docs/adr/0014-readings-are-written-together.md); by this entity TypeORM, and the
// test that holds every entity against its table, know the table.
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
