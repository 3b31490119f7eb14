// An event on its way to a webhook, as it is stored.
import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

export type DeliveryStatus = 'pending' | 'delivered' | 'failed';

@Entity('webhook_deliveries')
export class WebhookDelivery {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  id: string;

  @Column('text', { name: 'endpoint_id' })
  endpointId: string;

  @Column('text', { name: 'event_id' })
  eventId: string;

  @Column('text', { name: 'tank_id' })
  tankId: string;

  /** The endpoint and the tank: deliveries of one line are made one after the other. */
  @Column({ type: 'text', insert: false, update: false })
  line: string;

  @Column('text', { default: 'pending' })
  status: DeliveryStatus;

  @Column('timestamp with time zone', {
    name: 'created_at',
    precision: 3,
    default: () => 'clock_timestamp()',
  })
  createdAt: Date;

  @Column('integer', { default: 0 })
  tries: number;

  @Column('timestamp with time zone', {
    name: 'next_try_at',
    precision: 3,
    default: () => 'clock_timestamp()',
  })
  nextTryAt: Date;

  /** Of its line; null: it has no place in it yet. */
  @Column('boolean', { name: 'is_next', nullable: true })
  isNext: boolean | null;

  @Column('timestamp with time zone', { name: 'claimed_until', precision: 3, nullable: true })
  claimedUntil: Date | null;

  @Column('text', { name: 'claimed_by', nullable: true })
  claimedBy: string | null;

  @Column('timestamp with time zone', { name: 'last_tried_at', precision: 3, nullable: true })
  lastTriedAt: Date | null;

  @Column('integer', { name: 'last_status', nullable: true })
  lastStatus: number | null;

  @Column('text', { name: 'last_reason', nullable: true })
  lastReason: string | null;
}
