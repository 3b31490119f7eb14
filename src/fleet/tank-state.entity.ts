// What is known of a tank now, as the database's triggers keep it.
import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { UseCase } from '../tanks/tank.entity.js';

@Entity('tank_states')
export class TankState {
  @PrimaryColumn('bigint', { name: 'tank_key' })
  tankKey: string;

  @Column('text', { name: 'tank_id' })
  tankId: string;

  @Column('text', { name: 'owner_id' })
  ownerId: string;

  @Column('text', { name: 'use_case', nullable: true })
  useCase: UseCase | null;

  @Column('timestamp with time zone', { name: 'created_at', precision: 3 })
  createdAt: Date;

  @Column('boolean')
  deleted: boolean;

  @Column('integer', { name: 'min_fill_alert_percentage' })
  minFillAlertPercentage: number;

  @Column('timestamp with time zone', { name: 'reported_at', precision: 3, nullable: true })
  reportedAt: Date | null;

  @Column('double precision', { name: 'fill_percentage', nullable: true })
  fillPercentage: number | null;

  @Column('boolean', { default: false })
  low: boolean;

  @Column('integer', { name: 'silent_after_seconds', default: 86_400 })
  silentAfterSeconds: number;

  @Column('timestamp with time zone', { name: 'silent_at', precision: 3, nullable: true })
  silentAt: Date | null;

  /** Noted by a sweep, some time after `silentAt` has passed. */
  @Column('boolean', { default: false })
  silent: boolean;

  /** Worked out from the columns above; null for a deleted tank. */
  @Column({ type: 'smallint', name: 'fleet_group', nullable: true, insert: false, update: false })
  fleetGroup: number | null;
}
