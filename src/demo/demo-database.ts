// The embedded database of this clone: under a folder of the project that git ignores.
import { openEmbeddedPostgres, type EmbeddedDatabase } from './embedded-postgres/embedded-postgres.js';
import { inProject } from '../platform/config/project.js';

export function openDemoDatabase(): Promise<EmbeddedDatabase> {
  return openEmbeddedPostgres({ directory: inProject('.data/postgres') });
}
