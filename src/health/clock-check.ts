// Whether this machine's clock agrees with PostgreSQL's: one that is behind refuses readings as being in the future. Compared at the start and
// each minute. Above 5 s there is a warning; above 5 minutes, which is how far ahead a reading may be, the instance is not ready.
import { Inject, Injectable } from '@nestjs/common';
import { Reads, type Statement } from '../platform/database/reads.js';
import { Scheduler, type Task } from '../platform/lifecycle/scheduler.js';
import { LOGGER, type Logger } from '../platform/logging/logger.js';
import { Metrics } from '../platform/metrics/metrics.js';

const WARN_SECONDS = 5;
const MAX_SECONDS = 300;
const CHECK_AGAIN_MS = 5_000;

const CLOCK: Statement = {
  name: 'clock',
  text: 'select extract(epoch from clock_timestamp())::double precision as seconds',
};

type Verdict = 'right' | 'off' | 'wrong';

@Injectable()
export class ClockCheck implements Task {
  readonly name = 'clock';
  readonly everyMs = 60_000;
  /** How far this clock is ahead; at least, since the answer was some time on its way. */
  private aheadSeconds = 0;
  private verdict: Verdict = 'right';

  constructor(
    private readonly reads: Reads,
    metrics: Metrics,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly scheduler: Scheduler,
  ) {
    const help = "How far this process's clock is ahead of PostgreSQL's; negative if it is behind.";
    metrics.gauge('clock_ahead_seconds', help, () => this.aheadSeconds);
  }

  get obstacle(): string | undefined {
    return this.verdict === 'wrong' ? 'The clock of this instance is wrong; the log says more.' : undefined;
  }

  /** Resolves after the first look. */
  start(): Promise<void> {
    return this.scheduler.start(this);
  }

  async run(): Promise<void> {
    await this.compare().catch(() => undefined); // a database that is away is another check's concern
  }

  restMs(): number {
    return this.verdict === 'wrong' ? CHECK_AGAIN_MS : this.everyMs;
  }

  private async compare(): Promise<void> {
    const before = Date.now() / 1000;
    const [{ seconds } = { seconds: before }] = await this.reads.rows<{ seconds: number }>(CLOCK, []);
    const [least, most] = [before - seconds, Date.now() / 1000 - seconds];
    this.aheadSeconds = least > 0 ? least : Math.min(most, 0);
    const apart = Math.abs(this.aheadSeconds);
    this.report(apart > MAX_SECONDS ? 'wrong' : apart > WARN_SECONDS ? 'off' : 'right');
  }

  private report(verdict: Verdict): void {
    if (verdict === this.verdict) return;
    this.verdict = verdict;
    const facts = { ahead_seconds: Math.round(this.aheadSeconds) };
    const message =
      "this machine's clock and PostgreSQL's are apart. Let both follow NTP (timedatectl set-ntp true, or chrony); a clock that is behind refuses readings as being in the future";
    if (verdict === 'wrong') this.logger.error(facts, `not ready: ${message}`);
    else if (verdict === 'off') this.logger.warn(facts, message);
    else this.logger.info(facts, "this machine's clock and PostgreSQL's agree now");
  }
}
