// An event as it is stored, and how many of a type a day has. The tank and its owner are those of its time: nothing refers to them.
import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { EventDataResponse } from './dto/event.response.js';
import type { EventType } from './event-types.js';

@Entity('events')
export class TankEvent {
  @PrimaryColumn('text')
  id: string;

  @Column('text')
  type: EventType;

  @Column('timestamp with time zone', { name: 'created_at', precision: 3 })
  createdAt: Date;

  @Column('text', { name: 'tank_id' })
  tankId: string;

  @Column('text', { name: 'owner_id' })
  ownerId: string;

  /** In the form and order in which it is shown. */
  @Column('json')
  data: EventDataResponse;
}

@Entity('event_counts')
export class EventCount {
  @PrimaryColumn('text')
  type: EventType;

  @PrimaryColumn('date')
  day: string;

  @Column('integer')
  n: number;
}
