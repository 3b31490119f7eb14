// What a transaction has changed and nobody has placed yet, and the feed: what was placed, in order. The letters are in change-types.ts.
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The table has no key, so TypeORM is told that it is the whole row. */
@Entity('change_notes')
export class ChangeNote {
  @Column('timestamp with time zone', {
    precision: 3,
    name: 'noted_at',
    primary: true,
    default: () => 'clock_timestamp()',
  })
  notedAt: Date;

  @Column('bigint', { name: 'tank_key', primary: true, nullable: true })
  tankKey: string | null;

  @Column('timestamp with time zone', { precision: 3, primary: true, nullable: true })
  since: Date | null;

  @Column('timestamp with time zone', { precision: 3, primary: true, nullable: true })
  until: Date | null;

  @Column('text', { primary: true })
  kind: string;

  @Column('text', { primary: true, nullable: true })
  id: string | null;

  @Column('text', { name: 'owner_id', primary: true, nullable: true })
  ownerId: string | null;
}

@Entity('change_feed')
export class Change {
  @PrimaryColumn('bigint')
  position: string;

  @Column('timestamp with time zone', { precision: 3, name: 'placed_at' })
  placedAt: Date;

  @Column('bigint', { name: 'tank_key', nullable: true })
  tankKey: string | null;

  @Column('timestamp with time zone', { precision: 3, nullable: true })
  since: Date | null;

  @Column('timestamp with time zone', { precision: 3, nullable: true })
  until: Date | null;

  @Column('text')
  kind: string;

  @Column('text', { nullable: true })
  id: string | null;

  @Column('text', { name: 'owner_id', nullable: true })
  ownerId: string | null;
}
