// Sends a test mail to a recipient at once, over HTTP: tried once, counted nowhere. Its notice is made first, so that the limit holds however
// many ask at once.
import { Inject, Injectable } from '@nestjs/common';
import { Problem } from '../common/problems/problem.js';
import { conflict } from '../common/writes/problems.js';
import { RecordedWrites, type Writer, type WriteResult } from '../common/writes/recorded-writes.js';
import { RunningTests } from '../common/writes/running-tests.js';
import { CONFIG, type Config } from '../platform/config/config.js';
import type { NoticeTestResponse } from './dto/recipient.response.js';
import { hashOfAddress, Links } from './links.js';
import { testMail } from './contents.js';
import { IS_HERE, SERVER_WORKS } from './notices.statements.js';
import { openPost, type Outcome, type Post } from './post.js';
import type { Recipient } from './recipient.entity.js';
import { findRecipientStatus } from './recipient-state.js';
import { lock, LOCK_COUNTS, REMEMBER } from './recipients.service.js';

/** To an address in an hour. */
const MOST_TESTS = 5;
/** In this process. Each waits for a mail server, and takes no thread. */
const MOST_AT_ONCE = 32;
const PATIENCE = { answerMs: 15_000, mailMs: 17_000 };

@Injectable()
export class RecipientTests {
  private readonly post: Post | undefined;
  private readonly running = new RunningTests(MOST_AT_ONCE);

  constructor(
    private readonly writes: RecordedWrites,
    @Inject(CONFIG) private readonly config: Config,
  ) {
    this.post = openPost(config);
  }

  test(id: string, writer: Writer, beginToWait?: () => void): Promise<WriteResult<NoticeTestResponse>> {
    return this.running.run(writer, async () => {
      const { object: begun } = await this.begin(id, writer);
      beginToWait?.();
      const { result, reply } = await this.send(begun);
      await this.writes.run({ ...writer, ifMatch: undefined, ifNoneMatch: undefined }, async (manager) => {
        await manager.query(
          `update notices set reply = $2, status = case when $3 then 'sent' else status end, sent_at = case when $3 then now() end where id = $1`,
          [begun.noticeId, reply, result === 'sent'],
        );
        if (result === 'sent') await manager.query(SERVER_WORKS);
        return { object: {} };
      });
      return { object: { object: 'notice_test', sent: result === 'sent', reply } };
    });
  }

  private begin(id: string, writer: Writer): Promise<WriteResult<Begun>> {
    return this.writes.run(writer, async (manager) => {
      const { stored: recipient } = await lock(manager, id, writer);
      if (!['active', 'paused'].includes(findRecipientStatus(recipient))) throw notConfirmed();
      await manager.query(LOCK_COUNTS);
      const address = hashOfAddress(recipient.email);
      const [{ made, isHere }] = await manager.query<[{ made: number; isHere: boolean }]>(
        `select count(*)::integer as made, (${IS_HERE})
         from address_history where address = $1 and what = 'tested' and at > now() - interval '1 hour'`,
        [address],
      );
      if (made >= MOST_TESTS) throw tooManyTests();
      await manager.query(REMEMBER, [address, recipient.owner_id, 'tested']);
      const [{ id: noticeId }] = await manager.query<[{ id: string }]>(
        `insert into notices (recipient_id, kind, subject, status, attempts, last_attempt_at, reply)
         values ($1, 'test', $2, case when $3 then 'failed' else 'off' end, $3::boolean::integer, case when $3 then now() end, 'not answered yet')
         returning id`,
        [id, testMail(recipient, '').subject, this.post !== undefined],
      );
      return { object: { recipient, noticeId, isHere } };
    });
  }

  private async send({ recipient, noticeId, isHere }: Begun): Promise<Pick<Outcome, 'result' | 'reply'>> {
    if (this.post === undefined)
      return { result: 'retry', reply: 'mail is off: the operator has set no SMTP_URL' };
    if (!isHere)
      return {
        result: 'retry',
        reply: 'this database was restored from a backup of another; "webhooks resume" sends from here',
      };
    const mail = testMail(recipient, new Links(this.config).unsubscribe(recipient));
    return this.post.send(
      { id: noticeId, to: recipient.email, language: recipient.language, mail },
      PATIENCE,
    );
  }
}

interface Begun {
  readonly recipient: Recipient;
  readonly noticeId: string;
  /** False in a restored copy. */
  readonly isHere: boolean;
}

export function notConfirmed(): Problem {
  return conflict('not_confirmed', 'This recipient is not active: its address has to be confirmed first.');
}

function tooManyTests(): Problem {
  const detail = `At most ${MOST_TESTS} tests are sent to an address in an hour.`;
  return new Problem({ status: 429, code: 'rate_limited', detail, headers: { 'Retry-After': '3600' } });
}
