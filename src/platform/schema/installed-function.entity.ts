// A function of the database and the hash of the definition that is installed.
import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('installed_functions')
export class InstalledFunction {
  @PrimaryColumn('text')
  name: string;

  @Column('text')
  hash: string;
}
