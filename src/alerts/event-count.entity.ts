// How many events of a type a day has.
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
