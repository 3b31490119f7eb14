// How many events of a type a day has: the sum of what was added up and of the changes since.
import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { EventType } from './event-types.js';

@Entity('event_counts')
export class EventCount {
  @PrimaryColumn('text')
  type: EventType;

  @PrimaryColumn('date')
  day: string;

  @Column('integer')
  n: number;
}

/** Rows are added, and taken away all at once. They have no key, but TypeORM wants one: it is the whole row. */
@Entity('event_count_changes')
export class EventCountChange {
  @PrimaryColumn('text')
  type: EventType;

  @PrimaryColumn('date')
  day: string;

  @PrimaryColumn('integer')
  n: number;
}
