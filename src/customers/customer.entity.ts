// A customer as it is stored. Soft-deleted rows stay: they can be read by id and restored by an import.
import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('customers')
export class Customer {
  @PrimaryColumn('text', { default: () => 'new_id()' })
  id: string;

  @Column('timestamp with time zone', { name: 'created_at', precision: 3, default: () => 'now()' })
  createdAt: Date;

  @Column('timestamp with time zone', { name: 'updated_at', precision: 3, default: () => 'now()' })
  updatedAt: Date;

  @Column('boolean', { default: false })
  deleted: boolean;

  @Column('text')
  email: string;

  @Column('text')
  name: string;

  @Column('text', { nullable: true })
  phone: string | null;

  @Column('boolean', { name: 'is_verified', default: false })
  isVerified: boolean;

  @Column('timestamp with time zone', { name: 'verified_at', precision: 3, nullable: true })
  verifiedAt: Date | null;

  @Column('timestamp with time zone', { name: 'last_seen_at', precision: 3, nullable: true })
  lastSeenAt: Date | null;
}
