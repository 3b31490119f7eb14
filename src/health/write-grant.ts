// Whether the role that writes readings may do so. If not, the instance is not ready, with one line in the log, until it is granted. A
// database for writing that is out of reach changes nothing, since reads go on.
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../config/config.module.js';
import type { Config } from '../config/config.js';
import { GRANTS, type Grants } from '../database/grants.js';
import { Writes } from '../database/writes.js';
import { LOGGER, type Logger } from '../logging/logger.js';

/** A migration that replaces the function may drop the grant. */
const CHECK_GRANTED_EVERY_MS = 60_000;
const CHECK_LACKING_EVERY_MS = 1_000;

@Injectable()
export class WriteGrant {
  private lacking = false;
  private nextCheck = 0;

  constructor(
    private readonly writes: Writes,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** As far as is known: the check runs in the background, so that a database that hangs does not delay the probe. */
  get isLacking(): boolean {
    if (performance.now() >= this.nextCheck) void this.check();
    return this.lacking;
  }

  async check(): Promise<void> {
    if (!this.config.ingest.isOn) return;
    this.nextCheck = Infinity;
    try {
      const { role, lacking } = await this.writes.row<Grants>(GRANTS, ['{write_readings}']);
      this.report(role, lacking.length > 0);
    } catch {
      // Requests that write readings report it.
    }
    this.nextCheck = performance.now() + (this.lacking ? CHECK_LACKING_EVERY_MS : CHECK_GRANTED_EVERY_MS);
  }

  private report(role: string, isLacking: boolean): void {
    if (isLacking === this.lacking) return;
    this.lacking = isLacking;
    if (isLacking) {
      this.logger.error(
        { role },
        'not ready: this database role may not write readings. Set INGEST=false, or INGEST_DATABASE_URL to a role that may run write_readings (docs/least-privilege.sql grants it to tanks_ingest)',
      );
    } else this.logger.info({ role }, 'this database role may write readings now');
  }
}
