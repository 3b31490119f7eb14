// Tells recipients: opens notices of what is new and of the day, claims what is due, sends it side by side and records what became of it. Any
// number of workers may run on one database: they plan one after the other, and each notice is one worker's until its claim ends.
import { Inject, Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import type { ClientBase, Pool } from 'pg';
import { dayAt } from '../common/datetime/time-zone.js';
import { CONFIG, type Config } from '../platform/config/config.js';
import { withTransaction, WORKER_POOL } from '../platform/database/pool.js';
import { Scheduler } from '../platform/lifecycle/scheduler.js';
import { Sending } from '../platform/lifecycle/sending.js';
import { LOGGER, type Logger } from '../platform/logging/logger.js';
import { Metrics } from '../platform/metrics/metrics.js';
import type { EventType } from '../rules.js';
import { lastHour, writeMail, type Addressed } from './contents.js';
import type { NoticeKind } from './dto/notice.response.js';
import { Links } from './links.js';
import { counted, happening, WORDS } from './mail-words.js';
import * as SQL from './notices.statements.js';
import { openPost, type Outcome, type Post } from './post.js';
import { nextDaily, type DailyFacts, type Language } from './recipient-state.js';

const PLACES = 10;
const PATIENCE = { answerMs: 30_000, mailMs: 90_000 };
const MINUTE = 60_000;
const DELAYS = [1, 2, 5, 15, 30, 60].map((minutes) => minutes * MINUTE);

interface Claimed extends Addressed {
  /** Only this claim may send it and record it. */
  readonly claim: string;
  readonly attempts: number;
  readonly is_active: boolean;
  readonly is_confirmed: boolean;
}

interface Tried {
  readonly notice: Claimed;
  readonly outcome: Outcome;
  readonly subject: string | null;
}

interface Contents {
  readonly id: string;
  readonly language: Language;
  readonly total: number;
  readonly ids: readonly string[] | null;
  readonly counts: readonly number[];
  readonly type: EventType | null;
  readonly name: string | null;
  readonly level: number | null;
}

type DailyRow = DailyFacts & {
  id: string;
  language: Language;
  due: Date;
  now: Date;
  isInTime: boolean;
  hasNews: boolean;
};

export type MailConfig = Pick<Config, 'fillToPercent' | 'mail' | 'publicUrl' | 'webhooks'>;

@Injectable()
export class NoticeWorker extends Sending {
  readonly name = 'mails';
  readonly everyMs = 1_000;
  private readonly post: Post | undefined;
  private readonly links: Links;
  private readonly claimant = randomUUID();
  private claims = 0;
  private tried: Tried[] = [];
  private isRestored = false;
  private hasSaidOff = false;

  constructor(
    @Inject(WORKER_POOL) private readonly pool: Pick<Pool, 'query' | 'connect'>,
    @Inject(CONFIG) private readonly config: MailConfig,
    scheduler: Scheduler,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(Metrics) private readonly metrics: Pick<Metrics, 'count'>,
  ) {
    super(scheduler);
    this.post = openPost(config);
    this.links = new Links(config);
  }

  /** Removes what is not shown any more. */
  async forget(pool: Pick<Pool, 'query'>): Promise<void> {
    for (const statement of SQL.FORGET) await pool.query(statement);
  }

  private async sayOff(): Promise<void> {
    if (this.post !== undefined || this.hasSaidOff) return;
    const { rows } = await this.pool.query('select from recipients limit 1');
    this.hasSaidOff = true;
    if (rows.length > 0)
      this.logger.warn(
        'mail is off here, and notices are marked so for good: all processes need the same SMTP_URL',
      );
  }

  protected async work(): Promise<number> {
    await this.sayOff();
    const free = PLACES - this.underWay.size;
    if (free <= 0) return this.everyMs;
    const claimed = await withTransaction(this.pool, (client) => this.plan(client, free));
    for (const notice of claimed) this.begin(this.send(notice));
    return claimed.length > 0 ? 0 : this.everyMs;
  }

  private async plan(client: ClientBase, places: number): Promise<Claimed[]> {
    const { rows: states } = await client.query<{ isMine: boolean; isHere: boolean }>(SQL.LOCK_PLAN);
    const [{ isMine, isHere } = { isMine: false, isHere: true }] = states;
    this.warnIfRestored(!isHere);
    if (!isMine || !isHere) return [];
    await client.query(SQL.SEND_FROM_HERE);
    await tell(client);
    await openDailies(client, this.config.fillToPercent);
    const { rows: expired } = await client.query<{ kind: NoticeKind }>(SQL.EXPIRE);
    for (const { kind } of expired) this.metrics.count('mails_total', { kind, outcome: 'failed' });
    this.claims += 1;
    const claim = `${this.claimant} ${this.claims}`;
    const { rows: due } = await client.query<{ id: string; attempts: number }>(SQL.CLAIM, [places, claim]);
    if (due.length === 0) return [];
    const ids = due.map(({ id }) => id);
    const first = due.filter(({ attempts }) => attempts === 1).map(({ id }) => id);
    await describe(client, first); // from now on it gets no more events
    if (this.post === undefined) await client.query(SQL.MARK_OFF, [ids]);
    const { rows } = await client.query<Claimed>(SQL.CLAIMED, [this.post === undefined ? [] : ids]);
    return rows;
  }

  private async send(notice: Claimed): Promise<void> {
    const tried = this.trySending(notice).catch((error: unknown): Tried => {
      this.logger.warn({ err: error, notice: notice.id }, 'a mail could not be written');
      return { notice, outcome: UNWRITTEN, subject: null };
    });
    const became = await tried;
    if (became !== undefined) this.tried.push(became);
  }

  /** Undefined when it took so long until it could be sent that the claim is over. */
  private async trySending(notice: Claimed): Promise<Tried | undefined> {
    const cancelled = (reply: string): Tried => ({ notice, outcome: { ...CANCELLED, reply }, subject: null });
    const isConfirmation = notice.kind === 'confirmation';
    if (isConfirmation && notice.is_confirmed) return cancelled('the recipient has confirmed meanwhile');
    if (!isConfirmation && !notice.is_active) return cancelled('the recipient is not active');
    const mail = await writeMail(this.pool, notice, this.links, this.config);
    if (mail === undefined || this.post === undefined) return cancelled('there was nothing to tell any more');
    const { id, claim, email: to, language } = notice;
    const { rowCount } = await this.pool.query(SQL.RENEW, [id, claim]);
    if (rowCount === 0) return undefined;
    const outcome = await this.post.send({ id, to, language, mail }, PATIENCE);
    return { notice, outcome, subject: mail.subject };
  }

  protected async record(): Promise<void> {
    for (let next = this.tried[0]; next !== undefined; next = this.tried[0]) {
      const tried = next;
      await withTransaction(this.pool, (client) => recordOne(client, tried));
      this.tried.shift();
      this.report(tried);
    }
  }

  private report({ notice: { id, kind, recipient_id: recipient, attempts }, outcome }: Tried): void {
    const { result, code } = outcome;
    const became = result === 'sent' ? 'sent' : result === 'retry' ? 'retried' : 'failed';
    this.metrics.count('mails_total', { kind, outcome: became });
    const facts = { notice: id, recipient, kind, attempts };
    if (result === 'sent') this.logger.debug(facts, 'mail sent');
    else this.logger.warn({ ...facts, code, server: outcome.isServerFault }, 'mail not sent');
  }

  private warnIfRestored(isRestored: boolean): void {
    if (isRestored && !this.isRestored)
      this.logger.warn(
        'mails wait: this database was restored from a backup of another; run "webhooks resume" to send from here',
      );
    this.isRestored = isRestored;
  }
}

const CANCELLED = { result: 'refused', isServerFault: true, code: undefined } as const;
const UNWRITTEN = {
  result: 'retry',
  isServerFault: false,
  reply: 'the mail could not be written',
  code: undefined,
} as const;

async function tell(client: ClientBase): Promise<void> {
  for (let looked = SQL.LOOKED_AT_ONCE; looked === SQL.LOOKED_AT_ONCE;) {
    const { rows } = await client.query<{ looked: number; grown: string[] }>(SQL.TELL);
    const [{ looked: found, grown } = { looked: 0, grown: [] }] = rows;
    if (grown.length > 0) await describe(client, grown);
    looked = found;
  }
}

/** Notes what notices of events hold now. */
async function describe(client: ClientBase, ids: readonly string[]): Promise<void> {
  const { rows } = await client.query<Contents>(SQL.CONTENTS, [ids]);
  if (rows.length === 0) return;
  await client.query(SQL.DESCRIBE, [
    rows.map(({ id }) => id),
    rows.map(writeSubject),
    rows.map(({ total }) => total),
    rows.map(({ ids: shown }) => JSON.stringify(shown ?? [])),
  ]);
}

function writeSubject({ language, counts, type, name, level }: Contents): string {
  return type === null ? counted(language, counts) : happening(language, type, name ?? '', level ?? 0);
}

async function openDailies(client: ClientBase, fillTo: number): Promise<void> {
  const { rows } = await client.query<DailyRow>(SQL.DAILY_DUE, [lastHour(Date.now()), fillTo]);
  for (const { id, language, due, now, isInTime, hasNews, ...facts } of rows) {
    const day = dayAt(facts.time_zone, due.getTime());
    const isSent = isInTime && hasNews && day > (facts.daily_day ?? -1);
    const daily_day = isSent ? day : facts.daily_day;
    const { rowCount } = await client.query(SQL.NEXT_DAILY, [
      id,
      nextDaily({ ...facts, daily_day }, now),
      daily_day,
      due,
    ]);
    if (isSent && rowCount === 1) await client.query(SQL.OPEN_DAILY, [id, WORDS[language].daily, due]);
  }
}

/** A refusal for good counts against the recipient; what the server itself is at fault for, against nobody. */
async function recordOne(client: ClientBase, { notice, outcome, subject }: Tried): Promise<void> {
  const { result, isServerFault, reply } = outcome;
  const status = result === 'sent' ? 'sent' : result === 'refused' ? 'failed' : 'pending';
  const delay = DELAYS[Math.min(notice.attempts, DELAYS.length) - 1] ?? MINUTE;
  const waitsForServer = result === 'retry' && isServerFault;
  const values = [notice.id, notice.claim, status, reply, subject, waitsForServer, delay];
  const { rows } = await client.query<{ recipientId: string }>(SQL.RECORD, values);
  const [own] = rows;
  if (own === undefined) return;
  if (result === 'sent') {
    await client.query(SQL.NOTE_SENT, [own.recipientId, notice.kind === 'events']);
    await client.query(SQL.SERVER_WORKS);
  } else if (waitsForServer) await client.query(SQL.SERVER_FAILS);
  else if (result === 'refused' && !isServerFault)
    await client.query(SQL.NOTE_REFUSED, [own.recipientId, reply]);
}
