// A user: somebody who has signed in with the company's identity provider. Who it is says the provider, by issuer and subject.
import { Column, Entity } from 'typeorm';
import type { Role } from '../common/auth/scope.js';
import { Stored } from '../platform/database/stored.js';

@Entity('users')
export class User extends Stored {
  @Column('text')
  issuer: string;

  @Column('text')
  subject: string;

  @Column('text')
  email: string;

  @Column('text', { nullable: true })
  name: string | null;

  @Column('text', { default: 'none' })
  role: Role;

  /** The customer this user is bound to; null sees everything. */
  @Column('text', { nullable: true })
  customer_id: string | null;

  @Column('timestamp with time zone', { precision: 3, nullable: true })
  last_seen_at: Date | null;
}
