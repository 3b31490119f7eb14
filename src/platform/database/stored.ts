// What entities have in common that the service gives an id.
import { Column, PrimaryColumn } from 'typeorm';

export abstract class Stored {
  @PrimaryColumn('text', { default: () => 'new_id()' })
  id: string;

  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' })
  created_at: Date;

  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' })
  updated_at: Date;
}
