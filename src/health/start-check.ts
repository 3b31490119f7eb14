// Whether the service can start on this database. Where it cannot, the error says what to do.
import { isDenied } from '../platform/database/failures.js';
import type { Logger } from '../platform/logging/logger.js';
import type { HealthService } from './health.service.js';

export class StartError extends Error {}

const MIGRATE = 'Run: npx tank-monitoring migrate (in the image: node dist/cli.js migrate)';

export async function checkAtStart(health: HealthService, logger: Logger): Promise<void> {
  const missing = await health.missingMigrations().catch((error: unknown) => {
    if (!isDenied(error)) throw error;
    throw new StartError(
      `The database role may not read what the service needs: ${error.message}. Run docs/least-privilege.sql again, as a superuser: after migrate it grants the rights.`,
    );
  });
  if (missing.length > 0) {
    const migrations = missing.length === 1 ? 'migration' : 'migrations';
    throw new StartError(`The database lacks ${missing.length} ${migrations}. ${MIGRATE}`);
  }
  const { missing: absent, other } = await health.outdatedFunctions();
  if (absent.length > 0)
    throw new StartError(`The database lacks the functions ${absent.join(', ')}. ${MIGRATE}`);
  // As it is during an upgrade, and after the instances were rolled back.
  if (other.length > 0)
    logger.warn(`the database has functions of another version: ${other.join(', ')}. ${MIGRATE}`);
}
