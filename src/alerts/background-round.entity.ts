// When any process last looked for silent tanks: one row.
import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('background_rounds')
export class BackgroundRound {
  @PrimaryColumn('boolean', { name: 'only_row', default: true })
  onlyRow: true;

  @Column('timestamp with time zone', { name: 'finished_at', precision: 3 })
  finishedAt: Date;
}
