// A customer as it is stored. Its properties have the names of its columns and of the API's fields; what a new one has that says nothing
// is their first value. Soft-deleted rows stay: they can be read by id and restored.
import { Column, Entity } from 'typeorm';
import { Stored } from '../platform/database/stored.js';

@Entity('customers')
export class Customer extends Stored {
  @Column('boolean', { default: false })
  deleted: boolean;

  @Column('text')
  email: string;

  @Column('text')
  name: string;

  @Column('text', { nullable: true })
  phone: string | null = null;

  @Column('boolean', { default: false })
  is_verified: boolean = false;

  @Column('timestamp with time zone', { precision: 3, nullable: true })
  verified_at: Date | null = null;

  @Column('timestamp with time zone', { precision: 3, nullable: true })
  last_seen_at: Date | null = null;

  /** For good, which only erase_customer() does. */
  @Column({ type: 'boolean', update: false, default: false })
  erased: boolean;

  /** What is searched, folded: a trigger keeps it. */
  @Column({ type: 'text', select: false, update: false, default: '' })
  search_text: string;
}
