// What was told about a tank and is not over yet. Tanks about which there is nothing to remember have no row.
import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('tank_alerts')
export class TankAlert {
  @PrimaryColumn('bigint', { name: 'tank_key' })
  tankKey: string;

  @Column('boolean')
  low: boolean;

  @Column('boolean', { name: 'silence_reported' })
  silenceReported: boolean;
}
