// A webhook as it is stored: where events are sent to, and whether they are.
import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('webhook_endpoints')
export class WebhookEndpoint {
  @PrimaryColumn('text', { default: () => 'new_id()' })
  id: string;

  @Column('timestamp with time zone', { name: 'created_at', precision: 3, default: () => 'now()' })
  createdAt: Date;

  @Column('text')
  url: string;

  /** Only the events of this customer's tanks; null for all. */
  @Column('text', { name: 'customer_id', nullable: true })
  customerId: string | null;

  /** Only these events; null for all. */
  @Column('text', { array: true, nullable: true })
  types: string[] | null;

  @Column('text', { nullable: true })
  description: string | null;

  /** Sealed. */
  @Column('bytea')
  secret: Buffer;

  /** Signs too, until it ends. */
  @Column('bytea', { name: 'previous_secret', nullable: true })
  previousSecret: Buffer | null;

  @Column('timestamp with time zone', { name: 'previous_secret_until', precision: 3, nullable: true })
  previousSecretUntil: Date | null;

  @Column('timestamp with time zone', { name: 'failing_since', precision: 3, nullable: true })
  failingSince: Date | null;

  @Column('timestamp with time zone', { name: 'disabled_at', precision: 3, nullable: true })
  disabledAt: Date | null;

  @Column('text', { name: 'disabled_reason', nullable: true })
  disabledReason: string | null;

  /** The database it was made in: one that was restored from a backup does not deliver by itself. */
  @Column('text', { name: 'made_in', default: () => 'database_identity()' })
  madeIn: string;
}
