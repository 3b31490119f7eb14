// An API key as it is stored: its public prefix and a SHA-256 of the whole. The key itself is never kept.
import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Scope } from './scope.js';

@Entity('api_keys')
export class ApiKey {
  @PrimaryColumn('text')
  prefix: string;

  @Column('bytea')
  hash: Buffer;

  @Column('text')
  name: string;

  /** The customer this key is bound to; null sees everything. */
  @Column('text', { name: 'customer_id', nullable: true })
  customerId: string | null;

  @Column('text', { array: true, default: () => "'{read}'" })
  scopes: Scope[];

  @Column('timestamp with time zone', { name: 'created_at', precision: 3, default: () => 'now()' })
  createdAt: Date;

  @Column('timestamp with time zone', { name: 'expires_at', precision: 3, nullable: true })
  expiresAt: Date | null;

  @Column('timestamp with time zone', { name: 'revoked_at', precision: 3, nullable: true })
  revokedAt: Date | null;

  @Column('timestamp with time zone', { name: 'last_used_at', precision: 3, nullable: true })
  lastUsedAt: Date | null;
}
