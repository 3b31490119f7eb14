// A customer as it is stored. Its properties have the names of its columns and of the API's fields; what a new one has that says nothing
// is their first value. Soft-deleted rows stay: they can be read by id and restored.
import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('customers')
export class Customer {
  @PrimaryColumn('text', { default: () => 'new_id()' })
  id: string;

  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' })
  created_at: Date;

  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' })
  updated_at: Date;

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

  /** What is searched, folded: a trigger keeps it. */
  @Column({ type: 'text', select: false, update: false, default: '' })
  search_text: string;
}
