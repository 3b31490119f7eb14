// An uplink that could not become a reading, kept whole until it can, is discarded or is too old.
import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Reason } from './interpret.js';
import type { Source } from './uplink.js';

@Entity('quarantined_uplinks')
export class QuarantinedUplink {
  @PrimaryColumn('text')
  id: string;

  /** When it was received here. */
  @Column('timestamp with time zone', { name: 'created_at', precision: 3 })
  createdAt: Date;

  @Column('text')
  source: Source;

  /** Whom the key was bound to that it was sent with. */
  @Column('text', { name: 'customer_id', nullable: true })
  customerId: string | null;

  @Column('text', { name: 'device_id' })
  deviceId: string;

  /** Its own time. */
  @Column('timestamp with time zone', { name: 'sent_at', precision: 3 })
  sentAt: Date;

  @Column('text')
  reason: Reason;

  /** As it was sent. */
  @Column('text')
  payload: string;

  @Column({ type: 'integer', insert: false, update: false })
  bytes: number;
}
