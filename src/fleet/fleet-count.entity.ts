// How many tanks a group of the fleet has: the sum of what was added up and of the changes since.
import { Column, Entity, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';

@Entity('fleet_counts')
export class FleetCount {
  @PrimaryColumn('smallint', { name: 'fleet_group' })
  fleetGroup: number;

  @Column('bigint')
  n: string;
}

@Entity('fleet_count_changes')
export class FleetCountChange {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  id: string;

  @Column('smallint', { name: 'fleet_group' })
  fleetGroup: number;

  @Column('bigint')
  n: string;
}
