// The embedded database of this clone: under a folder of the project that git ignores.
import { fileURLToPath } from 'node:url';
import { openEmbeddedPostgres, type EmbeddedDatabase } from '../database/embedded-postgres.js';

const DIRECTORY = fileURLToPath(new URL('../../.data/postgres', import.meta.url));

export function openDemoDatabase(): Promise<EmbeddedDatabase> {
  return openEmbeddedPostgres({ directory: DIRECTORY });
}
