// An API key as it is stored: its public prefix and a SHA-256 of the whole. The key itself is never kept.
import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Scope } from '../common/auth/scope.js';

@Entity('api_keys')
export class ApiKey {
  @PrimaryColumn('text')
  prefix: string;

  /** Only what recognizes keys reads it. */
  @Column('bytea', { select: false })
  hash: Buffer;

  @Column('text')
  name: string;

  /** The customer this key is bound to; null sees everything. */
  @Column('text', { nullable: true })
  customer_id: string | null;

  /** The key whose rate limit it shares: the first of those that made it. */
  @Column('text', { nullable: true })
  parent: string | null;

  @Column('text', { array: true, default: () => "'{read}'" })
  scopes: Scope[];

  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' })
  created_at: Date;

  @Column('timestamp with time zone', { precision: 3, nullable: true })
  expires_at: Date | null;

  @Column('timestamp with time zone', { precision: 3, nullable: true })
  revoked_at: Date | null;

  @Column('timestamp with time zone', { precision: 3, nullable: true })
  last_used_at: Date | null;
}
