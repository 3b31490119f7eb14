// Recipients: read by one statement a request, changed in a transaction each. Whoever changes one has locked it; what counts others (how many
// there are, how many confirmations went out) is done one at a time.
import { Inject, Injectable } from '@nestjs/common';
import { IsNull, type EntityManager } from 'typeorm';
import { resolveOwner } from '../common/auth/caller.js';
import type { ListQuery } from '../common/pagination/dto/list.query.js';
import { pageFromRows, pageOfFew, type CountedRow, type Page } from '../common/pagination/page.js';
import { noSuch, Problem } from '../common/problems/problem.js';
import { quote } from '../common/validation/fault.js';
import { fieldFault, invalidFields } from '../common/validation/field-mistakes.js';
import { createdAtFaults } from '../common/validation/read-only-fields.js';
import {
  changedFields,
  deletion,
  describeChange,
  nextUpdatedAt,
  storedFields,
  RecordedWrites,
  requireConditions,
  WITHOUT_KEY,
} from '../common/writes/recorded-writes.js';
import type { Writer, WriteResult } from '../common/writes/recorded-writes.js';
import { conflict } from '../common/writes/problems.js';
import { customerFault } from '../customers/customer-fault.js';
import { Customer } from '../customers/customer.entity.js';
import { CONFIG, type Config } from '../platform/config/config.js';
import { isSameEmail } from '../platform/config/email.js';
import { selectList } from '../platform/database/columns.js';
import { FRESH_READS, isStorable, Reads, type Statement } from '../platform/database/reads.js';
import { NoticeResponse, toNoticeResponse, type NoticeRow } from './dto/notice.response.js';
import type { RecipientInput, RecipientPatch } from './dto/recipient.input.js';
import {
  NOTHING_TO_TELL,
  RecipientResponse,
  taggedPart,
  toRecipientResponse,
} from './dto/recipient.response.js';
import type { DeletedRecipientResponse, RecipientRow, RecipientsQuery } from './dto/recipient.response.js';
import { hashOfAddress, isStillGood, Links, type Purpose } from './links.js';
import { confirmationSubject } from './mail-words.js';
import { Recipient } from './recipient.entity.js';
import { nextDaily, STATUS, findRecipientStatus, type Language } from './recipient-state.js';
import { takeLock } from '../platform/schema/locks.js';

/** Of a customer, and of none. */
const MOST_RECIPIENTS = 100;
/** Confirmations in 24 hours. */
const MOST_TO_ADDRESS = 3;
const MOST_OF_CUSTOMER = 200;

const DEFAULT_EVENTS = ['tank.low', 'tank.silent'];

const COLUMNS = selectList('recipient', Recipient);

const FIND_ONE: Statement = {
  name: 'recipient_by_id',
  text: `select ${COLUMNS} from recipients recipient where id = $1 and ($2::text is null or owner_id = $2)`,
};

const LIST = pageOfFew(
  'recipients_page',
  { table: 'recipients', alias: 'recipient', columns: COLUMNS },
  `($5::text is null or owner_id = $5) and ($6::text is null or lower(email) = lower($6)) and ($7::text is null or ${STATUS} = $7)`,
);

/** No row at all: there is no such recipient. */
const NOTICES: Statement = {
  name: 'notices_page',
  text: `
    select page.total, notice.id, notice.created_at, notice.recipient_id, notice.kind, notice.subject, notice.event_ids, notice.status,
           notice.attempts, notice.last_attempt_at, notice.next_attempt_at, notice.reply, notice.sent_at
    from recipients recipient
    cross join lateral (
      select count(*) as total from notices where recipient_id = recipient.id and created_at >= $1 and created_at < $2
    ) page
    left join lateral (
      select * from notices where recipient_id = recipient.id and created_at >= $1 and created_at < $2
      order by created_at desc, id desc offset $3 limit $4
    ) notice on true
    where recipient.id = $5 and ($6::text is null or recipient.owner_id = $6)
    order by notice.created_at desc, notice.id desc`,
};

export const LOCK_COUNTS = takeLock('RECIPIENTS');

const ASKED = `
  select count(*) filter (where address = $1)::integer as "toAddress", count(*) filter (where owner_id is not distinct from $2)::integer as "ofCustomer"
  from address_history
  where what = 'asked' and at > now() - interval '24 hours' and (address = $1 or owner_id is not distinct from $2)`;

export const REMEMBER = 'insert into address_history (address, owner_id, what) values ($1, $2, $3)';

/** What was to be sent is not: of these kinds. */
const CANCEL = `
  update notices set status = 'failed', next_attempt_at = null, reply = $3
  where recipient_id = $1 and status = 'pending' and kind = any ($2)`;
const TOLD_KINDS = ['events', 'daily'];
const ALL_KINDS = [...TOLD_KINDS, 'confirmation'];

@Injectable()
export class RecipientsService {
  private readonly links: Links;

  constructor(
    private readonly reads: Reads,
    private readonly writes: RecordedWrites,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(FRESH_READS) private readonly fresh: Reads,
  ) {
    this.links = new Links(config);
  }

  async list(query: RecipientsQuery, boundTo: string | null): Promise<Page<RecipientResponse>> {
    const { owner_id, email = null, status = null } = query;
    const values = [...query.place, resolveOwner(owner_id, boundTo), email, status];
    const rows = await this.reads.page<RecipientRow & CountedRow>(LIST, values, query.isLarge);
    return pageFromRows(RecipientResponse, rows, toRecipientResponse, query);
  }

  async get(id: string, boundTo: string | null): Promise<RecipientResponse> {
    const row = await this.reads.firstRow<RecipientRow>(FIND_ONE, [id, boundTo]);
    if (row === undefined) throw noSuch('recipient');
    return toRecipientResponse(row);
  }

  async notices(id: string, query: ListQuery, boundTo: string | null): Promise<Page<NoticeResponse>> {
    const values = [...query.place, id, boundTo];
    const rows = await this.reads.rows<NoticeRow & CountedRow>(NOTICES, values, query.isLarge);
    if (rows.length === 0) throw noSuch('recipient');
    return pageFromRows(NoticeResponse, rows, toNoticeResponse, query);
  }

  create(body: RecipientInput, writer: Writer): Promise<WriteResult<RecipientResponse>> {
    return this.writes.run(writer, async (manager) => {
      const fields = {
        events: DEFAULT_EVENTS,
        ...storedFields(body),
        owner_id: body.owner_id === undefined ? writer.customerId : body.owner_id,
      };
      const next = Object.assign(new Recipient(), fields);
      const unknown = await customerFault(manager, next.owner_id, writer, '/owner_id');
      if (unknown !== undefined) throw invalidFields([unknown]);
      const customer = await customerOf(manager, next);
      await manager.query(LOCK_COUNTS);
      await requireUnique(manager, next);
      const count = await manager.countBy(Recipient, { owner_id: next.owner_id ?? IsNull() });
      if (count >= MOST_RECIPIENTS) throw tooMany();
      const now = await readClock(manager);
      const isKnown = await isOwnAddress(manager, next, customer, writer);
      Object.assign(next, { confirmed_at: isKnown ? now : null });
      await manager.insert(Recipient, Object.assign(next, following(next, undefined, now)));
      if (!isKnown) await this.ask(manager, next, customer);
      const change = describeChange('recipient', next.id, 'create', RecipientFields, {
        ownerId: next.owner_id,
      });
      return { object: await show(manager, next.id), change };
    });
  }

  patch(id: string, body: RecipientPatch, writer: Writer): Promise<WriteResult<RecipientResponse>> {
    return this.writes.run(writer, async (manager) => {
      const { stored, shown } = await lock(manager, id, writer);
      const {
        owner_id: owner,
        status: _s,
        confirmed_at: _c,
        last_sent_at: _l,
        reason: _r,
        ...fields
      } = storedFields(body);
      const next = Object.assign(new Recipient(), stored, fields);
      const faults = createdAtFaults(body.created_at, stored.created_at);
      if (owner !== undefined && owner !== stored.owner_id)
        faults.push(fieldFault('owner_id', 'must stay as it is', quote(stored.owner_id)));
      if (next.events.length === 0 && next.daily_at === null)
        faults.push(fieldFault('events', NOTHING_TO_TELL));
      if (faults.length > 0) throw invalidFields(faults);
      const changed = changedFields(storedFields(stored), storedFields(next));
      if (changed.length === 0) return { object: shown };
      if (next.email !== stored.email) await this.changeAddress(manager, stored, next, writer);
      await update(manager, stored, next);
      const change = describeChange('recipient', id, 'update', changed, {
        ownerId: stored.owner_id,
        before: shown,
      });
      return { object: await show(manager, id), change };
    });
  }

  remove(id: string, writer: Writer): Promise<WriteResult<DeletedRecipientResponse>> {
    return this.writes.run(writer, async (manager) => {
      const { shown } = await lock(manager, id, writer);
      await manager.delete(Recipient, { id });
      return deletion('recipient', id, shown.owner_id, shown);
    });
  }

  /** Sends the mail with the link once more. */
  confirmation(id: string, writer: Writer): Promise<WriteResult<RecipientResponse>> {
    return this.writes.run(writer, async (manager) => {
      const { stored } = await lock(manager, id, writer);
      if (['active', 'paused'].includes(findRecipientStatus(stored))) throw alreadyConfirmed();
      await manager.query(LOCK_COUNTS);
      await this.ask(manager, stored, await customerOf(manager, stored));
      return { object: await show(manager, id) };
    });
  }

  /** The language of whoever a link is for; undefined when it is not good, or not good any more. */
  async languageOf(token: string, purpose: Purpose): Promise<Language | undefined> {
    const link = this.links.read(token);
    const row = link && (await this.reads.firstRow<RecipientRow>(FIND_ONE, [link.recipientId, null]));
    return row !== undefined && link !== undefined && isStillGood(link, purpose, row)
      ? row.language
      : undefined;
  }

  /** Undefined as above. Pressed twice is once; again and again, it costs no transaction. */
  async follow(token: string, purpose: Purpose, requestId: string): Promise<Language | undefined> {
    const link = this.links.read(token);
    if (link?.purpose !== purpose) return undefined;
    const row = await this.fresh.firstRow<RecipientRow>(FIND_ONE, [link.recipientId, null]);
    if (row === undefined || !isStillGood(link, purpose, row)) return undefined;
    if (isDone(row, purpose)) return row.language;
    const { object } = await this.writes.run<{ language?: Language }>(
      { ...WITHOUT_KEY, id: 'a link in a mail', requestId, link: purpose },
      async (manager) => {
        const stored = await find(manager, link.recipientId, null);
        if (stored === null || !isStillGood(link, purpose, stored)) return { object: {} };
        if (isDone(stored, purpose)) return { object: stored };
        const now = await readClock(manager);
        const over =
          purpose === 'confirm'
            ? { confirmed_at: now, unsubscribed_at: null, failing_reason: null, failures: 0 }
            : { unsubscribed_at: now, link_number: stored.link_number + 1 };
        await update(manager, stored, Object.assign(new Recipient(), stored, over));
        if (purpose === 'unsubscribe')
          await manager.query(REMEMBER, [hashOfAddress(stored.email), stored.owner_id, 'unsubscribed']);
        const change = describeChange('recipient', stored.id, purpose, [purpose], {
          ownerId: stored.owner_id,
        });
        return { object: stored, change };
      },
    );
    return object.language;
  }

  /** Another address starts over; the same in other case is the same. */
  private async changeAddress(
    manager: EntityManager,
    stored: Recipient,
    next: Recipient,
    writer: Writer,
  ): Promise<void> {
    await manager.query(LOCK_COUNTS);
    await requireUnique(manager, next);
    if (isSameEmail(next.email, stored.email)) return;
    const customer = await customerOf(manager, next);
    const isKnown = await isOwnAddress(manager, next, customer, writer);
    await manager.query(CANCEL, [stored.id, ALL_KINDS, 'the recipient has another address now']);
    Object.assign(stored, { active_since: null }); // it becomes active anew, if it does
    Object.assign(next, {
      confirmed_at: isKnown ? await readClock(manager) : null,
      unsubscribed_at: null,
      failing_reason: null,
      failures: 0,
      link_number: stored.link_number + 1,
    });
    if (!isKnown) await this.ask(manager, next, customer);
  }

  /** Nobody is mailed more often than that, whoever asks. */
  private async ask(
    manager: EntityManager,
    { id, email, owner_id, language }: Recipient,
    customer: Customer | null,
  ): Promise<void> {
    const address = hashOfAddress(email);
    const [asked] = await manager.query<[{ toAddress: number; ofCustomer: number }]>(ASKED, [
      address,
      owner_id,
    ]);
    if (asked.toAddress >= MOST_TO_ADDRESS || asked.ofCustomer >= MOST_OF_CUSTOMER) throw tooManyAsked();
    await manager.query(REMEMBER, [address, owner_id, 'asked']);
    const isOn = this.config.mail.server !== undefined || this.config.mail.folder !== undefined;
    await manager.query(
      `insert into notices (recipient_id, kind, subject, status, next_attempt_at)
       values ($1, 'confirmation', $2, $3, case when $3 = 'pending' then now() end)`,
      [id, confirmationSubject(language, customer?.name ?? null), isOn ? 'pending' : 'off'],
    );
  }
}

/** Whether a link has been followed already. */
function isDone(recipient: Parameters<typeof findRecipientStatus>[0], purpose: Purpose): boolean {
  const status = findRecipientStatus(recipient);
  return purpose === 'confirm' ? status === 'active' || status === 'paused' : status === 'unsubscribed';
}

/** One that the writer sees, as its conditions want it. */
export async function lock(manager: EntityManager, id: string, writer: Writer) {
  const stored = await find(manager, id, writer.customerId);
  if (stored === null) throw noSuch('recipient');
  const shown = toRecipientResponse(stored);
  requireConditions(writer, 'recipient', taggedPart(shown));
  return { stored, shown };
}

const RecipientFields = ['email', 'name', 'owner_id', 'events', 'daily_at', 'time_zone', 'language'];

async function find(manager: EntityManager, id: string, boundTo: string | null): Promise<Recipient | null> {
  const where = { id, ...(boundTo === null ? {} : { owner_id: boundTo }) };
  return isStorable(id) ? manager.findOne(Recipient, { where, lock: { mode: 'for_no_key_update' } }) : null;
}

async function readClock(manager: EntityManager): Promise<Date> {
  const [{ now }] = await manager.query<[{ now: Date }]>('select clock_timestamp() as now');
  return now;
}

/** What follows from its other fields: since when it is active, and when its next daily mail goes. */
function following(next: Recipient, stored: Recipient | undefined, now: Date): Partial<Recipient> {
  if (findRecipientStatus(next) !== 'active') return { active_since: null, next_daily_at: null };
  const wasActive = stored !== undefined && stored.active_since !== null;
  const isSame = wasActive && stored.daily_at === next.daily_at && stored.time_zone === next.time_zone;
  return {
    active_since: wasActive ? stored.active_since : now,
    next_daily_at: isSame ? stored.next_daily_at : nextDaily(next, now),
  };
}

/** What is pending when it stops to be active is not sent. */
async function update(manager: EntityManager, stored: Recipient, next: Recipient): Promise<void> {
  const follows = following(next, stored, await readClock(manager));
  const { id, created_at: _, ...fields } = next;
  await manager.update(Recipient, { id }, { ...fields, ...follows, updated_at: nextUpdatedAt });
  const status = findRecipientStatus(next);
  if (status === 'active') return;
  await manager.query(CANCEL, [
    id,
    status === 'unsubscribed' ? ALL_KINDS : TOLD_KINDS,
    `the recipient is ${status}`,
  ]);
}

async function show(manager: EntityManager, id: string): Promise<RecipientResponse> {
  return toRecipientResponse(await manager.findOneByOrFail(Recipient, { id }));
}

const customerOf = (manager: EntityManager, { owner_id: id }: Recipient): Promise<Customer | null> =>
  manager.findOneBy(Customer, { id: id ?? '' });

async function requireUnique(manager: EntityManager, { id, email, owner_id }: Recipient): Promise<void> {
  const [other] = await manager.query<unknown[]>(
    'select from recipients where lower(email) = lower($1) and owner_id is not distinct from $2 and id is distinct from $3',
    [email, owner_id, id ?? null],
  );
  if (other !== undefined) throw duplicate();
}

/** An operator's key gives the address of a verified customer, which has not unsubscribed: no link is needed. */
async function isOwnAddress(
  manager: EntityManager,
  { email }: Recipient,
  customer: Customer | null,
  { customerId: boundTo }: Writer,
): Promise<boolean> {
  if (boundTo !== null || customer?.is_verified !== true) return false;
  if (!isSameEmail(customer.email, email)) return false;
  const [left] = await manager.query<unknown[]>(
    `select from address_history where what = 'unsubscribed' and address = $1 and owner_id = $2`,
    [hashOfAddress(email), customer.id],
  );
  return left === undefined;
}

export function duplicate(): Problem {
  return conflict(
    'duplicate',
    'There is a recipient with this email for this customer, or without one, already.',
  );
}

export function tooMany(): Problem {
  const detail = `There are ${MOST_RECIPIENTS} recipients of this customer, or without one, already. Delete one first.`;
  return conflict('too_many', detail);
}

export function alreadyConfirmed(): Problem {
  return conflict('already_confirmed', 'This recipient has confirmed its address already.');
}

export function tooManyAsked(): Problem {
  const detail = `In 24 hours at most ${MOST_TO_ADDRESS} confirmations go to an address, and ${MOST_OF_CUSTOMER} out for a customer or without one. Nothing was changed.`;
  return new Problem({ status: 429, code: 'rate_limited', detail, headers: { 'Retry-After': '3600' } });
}
