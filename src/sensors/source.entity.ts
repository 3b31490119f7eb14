// What the messages of a sender look like. `rules` are its other fields, as they are read.
import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { SourceRules } from './source.js';

@Entity('sources')
export class Source {
  @PrimaryColumn('text')
  id: string;

  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' })
  created_at: Date;

  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' })
  updated_at: Date;

  @Column('text')
  name: string;

  @Column('boolean', { default: false })
  built_in: boolean;

  /** Whose it is; null for everybody's. */
  @Column('text', { nullable: true })
  customer_id: string | null;

  @Column('jsonb')
  rules: SourceRules;
}
