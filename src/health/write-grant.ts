// Whether the role that writes readings may do so. One that may not makes the instance not ready, with one line in the log, until
// it is granted; a database for writing that is out of reach does not, since reads go on.
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../config/config.module.js';
import type { Config } from '../config/config.js';
import { GRANTS, type Grants } from '../database/grants.js';
import { Writes } from '../database/writes.js';
import { LOGGER, type Logger } from '../logging/logger.js';

/** A migration may take a grant along with its function; a missing one is waited for. */
const GRANTED_BELIEVED_MS = 60_000;
const LACKING_BELIEVED_MS = 1_000;

@Injectable()
export class WriteGrant {
  private lacking = false;
  private believedUntil = 0;

  constructor(
    private readonly writes: Writes,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** As far as is known; asked anew behind the probe, which a database that hangs is not to hold up. */
  get isLacking(): boolean {
    if (performance.now() >= this.believedUntil) void this.look();
    return this.lacking;
  }

  async look(): Promise<void> {
    if (!this.config.ingest.isOn) return;
    this.believedUntil = Infinity;
    try {
      const { role, lacking } = await this.writes.row<Grants>(GRANTS, ['{write_readings}']);
      this.note(role, lacking.length > 0);
    } catch {
      // Whoever writes readings hears of it.
    }
    this.believedUntil = performance.now() + (this.lacking ? LACKING_BELIEVED_MS : GRANTED_BELIEVED_MS);
  }

  private note(role: string, isLacking: boolean): void {
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
