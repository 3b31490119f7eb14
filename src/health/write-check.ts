// Whether readings can be written where they are accepted: the server is reached, and the role may write. One that changes customers and
// tanks, too, may change all that the API does: not only what it could before an upgrade. If not, the instance is not
// ready, with one line in the log, until they can. While only standbys answer nothing is said: reads go on from there.
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../platform/config/config.js';
import { asUnreachable, DatabaseUnavailable, waitedInLine } from '../platform/database/failures.js';
import { GRANTS, namesOf, rightsOf, type Grants, type Right } from '../platform/database/grants.js';
import { Standbys } from '../platform/database/standbys.js';
import { IngestWrites } from '../platform/database/ingest-writes.js';
import { LOGGER, type Logger } from '../platform/logging/logger.js';

/** A password may change, and somebody may revoke the grant. */
const CHECK_EVERY_MS = 10_000;
const CHECK_AGAIN_MS = 1_000;

const NEEDED = rightsOf('tanks_manage');

interface Obstacle {
  /** For callers of the probe, who may be anybody: nothing of the inside. */
  readonly detail: string;
  /** For the log. */
  readonly message: string;
  readonly role?: string;
}

@Injectable()
export class WriteCheck {
  private known: Obstacle | undefined;
  private failure: DatabaseUnavailable | undefined;
  private nextCheck = 0;

  constructor(
    private readonly writes: IngestWrites,
    private readonly standbys: Standbys,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** As far as is known: the check runs in the background, so that a database that hangs does not delay the probe. */
  get obstacle(): string | undefined {
    if (performance.now() >= this.nextCheck) void this.check();
    return this.standbys.primaryIsAway ? undefined : this.known?.detail;
  }

  /** A server that cannot be reached ends the start, as that of DATABASE_URL does. */
  async checkAtStart(): Promise<void> {
    await this.check();
    if (this.failure !== undefined) throw this.failure;
  }

  private async check(): Promise<void> {
    if (!this.config.ingest.isOn || this.standbys.primaryIsAway) return;
    this.nextCheck = Infinity;
    try {
      const grants = await this.writes.row<Grants>(GRANTS, [JSON.stringify(NEEDED)]);
      this.failure = undefined;
      this.report(findLack(grants));
    } catch (error) {
      this.fail(error);
    }
    const isFine = this.known === undefined && this.failure === undefined;
    this.nextCheck = performance.now() + (isFine ? CHECK_EVERY_MS : CHECK_AGAIN_MS);
  }

  private fail(error: unknown): void {
    if (waitedInLine(error)) return; // too much to do is no obstacle
    const isFirst = this.failure === undefined;
    const { databaseUrl } = this.config.ingest;
    const cause = error instanceof DatabaseUnavailable ? error.cause : error;
    this.failure =
      databaseUrl === undefined
        ? new DatabaseUnavailable(cause)
        : asUnreachable(databaseUrl, cause, 'INGEST_DATABASE_URL');
    if (isFirst) return; // an idle connection may have broken: the next check makes another
    this.report({
      detail:
        'The database that readings are written to cannot be reached, or refuses the login; the log says more.',
      message: this.failure.message,
    });
  }

  private report(obstacle: Obstacle | undefined): void {
    const hasChanged = obstacle?.detail !== this.known?.detail;
    this.known = obstacle;
    if (!hasChanged) return;
    if (obstacle === undefined) this.logger.info('what is accepted can be written now');
    else this.logger.error({ role: obstacle.role }, `not ready: ${obstacle.message}`);
  }
}

function findLack({ role, lacking, reads_only: readsOnly }: Grants): Obstacle | undefined {
  if (lacking.some(({ name }) => name === 'write_readings')) {
    return {
      role,
      detail: 'The database role may not write readings; the log says more.',
      message:
        'this database role may not write readings. Set INGEST=false, or INGEST_DATABASE_URL to a role that may run write_readings (docs/least-privilege.sql grants it to tanks_ingest)',
    };
  }
  // A role that may change no table at all is for readings only, as tanks_ingest is.
  const isForReadings = lacking.filter(isChange).length === NEEDED.filter(isChange).length;
  if (lacking.length > 0 && (!isForReadings || role === 'tanks_manage')) {
    return {
      role,
      detail: 'The database role may not change what the API changes; the log says more.',
      message: `this database role may not use ${namesOf(lacking)} as the API does. Run docs/least-privilege.sql again, as a superuser: after migrate it grants the rights to tanks_manage`,
    };
  }
  if (!readsOnly) return undefined;
  return {
    role,
    detail: 'The database that readings are written to is read-only; the log says more.',
    message:
      'this database is a standby, or its role only reads. Set INGEST=false, or INGEST_DATABASE_URL to the primary',
  };
}

/** A right to change a table, not to read it or to run a function. */
const isChange = ({ privilege }: Right): boolean => !['select', 'execute'].includes(privilege);
