// What the judging of events remembers of tanks.
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** What was reported about a tank and is not over yet. Tanks about which there is nothing to remember have no row. */
@Entity('tank_alerts')
export class TankAlert {
  @PrimaryColumn('bigint', { name: 'tank_key' })
  tankKey: string;

  @Column('boolean')
  low: boolean;

  @Column('boolean', { name: 'silence_reported' })
  silenceReported: boolean;
}

/** A tank with which something may have happened since it was last judged. */
@Entity('tanks_to_judge')
export class TankToJudge {
  @PrimaryColumn('bigint', { name: 'tank_key' })
  tankKey: string;

  /** The newest reading that was judged. */
  @Column('timestamp with time zone', { name: 'known_at', precision: 3, nullable: true })
  knownAt: Date | null;

  @Column('double precision', { name: 'known_fill', nullable: true })
  knownFill: number | null;

  @Column('integer', { name: 'known_threshold' })
  knownThreshold: number;

  @Column('boolean', { name: 'was_silent' })
  wasSilent: boolean;

  @Column('boolean', { name: 'was_restored' })
  wasRestored: boolean;

  /** Of each write since: when it was, and the newest reading after it. */
  @Column('timestamp with time zone', { name: 'written_at', array: true })
  writtenAt: Date[];

  @Column('timestamp with time zone', { array: true })
  reached: (Date | null)[];
}
