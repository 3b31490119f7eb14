// How many rows a list of a whole table has: in all, in a month, on a day. The database's triggers keep it.
import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('list_counts')
export class ListCount {
  @PrimaryColumn('text')
  list: string;

  /** 0 all, 1 a month, 2 a day. */
  @PrimaryColumn('smallint')
  level: number;

  @PrimaryColumn('date')
  start: string;

  @Column('integer')
  n: number;
}
