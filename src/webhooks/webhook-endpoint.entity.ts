// A webhook endpoint as it is stored: where events are sent to, and whether they are.
import { Column, Entity } from 'typeorm';
import { Stored } from '../platform/database/stored.js';

@Entity('webhook_endpoints')
export class WebhookEndpoint extends Stored {
  @Column('text')
  url: string;

  /** Only the events of this customer's tanks; null for all. */
  @Column('text', { nullable: true })
  customer_id: string | null;

  /** Only these events; null for all. */
  @Column('text', { array: true, nullable: true })
  types: string[] | null;

  @Column('text', { nullable: true })
  description: string | null;

  /** Sealed. */
  @Column('bytea')
  secret: Buffer;

  /** Signs too, until it ends. */
  @Column('bytea', { nullable: true })
  previous_secret: Buffer | null;

  @Column('timestamp with time zone', { precision: 3, nullable: true })
  previous_secret_until: Date | null;

  @Column('timestamp with time zone', { precision: 3, nullable: true })
  failing_since: Date | null;

  @Column('timestamp with time zone', { precision: 3, nullable: true })
  disabled_at: Date | null;

  @Column('text', { nullable: true })
  disabled_reason: string | null;

  /** The database it was made in: one that was restored from a backup does not deliver by itself. */
  @Column('text', { default: () => 'database_identity()' })
  made_in: string;
}
