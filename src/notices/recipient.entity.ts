// A recipient as it is stored: who is told by e-mail, about what and when.
import { Column, Entity } from 'typeorm';
import { Stored } from '../platform/database/stored.js';
import type { Language } from './recipient-state.js';

@Entity('recipients')
export class Recipient extends Stored {
  @Column('text')
  email: string;

  @Column('text', { nullable: true })
  name: string | null = null;

  /** Only about this customer's tanks; null for all. */
  @Column('text', { nullable: true })
  owner_id: string | null = null;

  @Column('text', { array: true })
  events: string[];

  /** `07:00`, in the time zone. */
  @Column('text', { nullable: true })
  daily_at: string | null = null;

  @Column('text')
  time_zone: string = 'UTC';

  @Column('text')
  language: Language = 'en';

  @Column('boolean', { default: false })
  paused: boolean = false;

  @Column('timestamp with time zone', { precision: 3, nullable: true })
  confirmed_at: Date | null = null;

  @Column('timestamp with time zone', { precision: 3, nullable: true })
  unsubscribed_at: Date | null = null;

  /** Why it gets nothing more: mails to it were refused. */
  @Column('text', { nullable: true })
  failing_reason: string | null = null;

  /** Mails that were refused for good, in a row. */
  @Column('integer', { default: 0 })
  failures: number = 0;

  /** Counts what ends the links of confirmations that were sent before. */
  @Column('integer', { default: 0 })
  link_number: number = 0;

  /** Null unless it is active. */
  @Column('timestamp with time zone', { precision: 3, nullable: true })
  active_since: Date | null = null;

  @Column('timestamp with time zone', { precision: 3, nullable: true })
  next_daily_at: Date | null = null;

  /** The local day of the last daily mail, in days since 1970. */
  @Column('integer', { nullable: true })
  daily_day: number | null = null;

  @Column('timestamp with time zone', { precision: 3, nullable: true })
  events_sent_at: Date | null = null;

  @Column('timestamp with time zone', { precision: 3, nullable: true })
  last_sent_at: Date | null = null;
}
