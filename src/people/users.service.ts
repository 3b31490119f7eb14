// Users: read by one statement a request, from the primary, since a role that was taken away is gone; changed by administrators, and by a
// sign-in. The last administrator stays one, however many write at once.
import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { SCOPES_OF } from '../common/auth/scope.js';
import type { ListQuery } from '../common/pagination/dto/list.query.js';
import { pageFromRows, pageOfFew, type CountedRow, type Page } from '../common/pagination/page.js';
import { noSuch, type Problem } from '../common/problems/problem.js';
import { quote } from '../common/validation/fault.js';
import { fieldFault, invalidFields, type FieldFault } from '../common/validation/field-mistakes.js';
import { createdAtFaults } from '../common/validation/read-only-fields.js';
import { conflict } from '../common/writes/problems.js';
import { changesBetween, recordActivity, type Activity } from '../common/writes/activity.js';
import {
  changedFields,
  deletion,
  describeChange,
  nextUpdatedAt,
  RecordedWrites,
  requireConditions,
} from '../common/writes/recorded-writes.js';
import type { Writer, WriteResult } from '../common/writes/recorded-writes.js';
import { customerFault } from '../customers/customer-fault.js';
import { FRESH_READS, isStorable, type Reads, type Statement } from '../platform/database/reads.js';
import { Transactions } from '../platform/database/transactions.js';
import type { UserPatch } from './dto/user.input.js';
import { taggedUser, toUserResponse, UserResponse } from './dto/user.response.js';
import type { DeletedUserResponse, UserRow } from './dto/user.response.js';
import { User } from './user.entity.js';
import { takeLock } from '../platform/schema/locks.js';

const COLUMNS = `person.id, person.created_at, person.updated_at, person.email, person.name, person.role, person.customer_id,
  person.last_seen_at`;

const FIND_ONE: Statement = {
  name: 'user_by_id',
  text: `select ${COLUMNS} from users person where id = $1 and ($2::text is null or customer_id = $2)`,
};

const LIST = pageOfFew(
  'users_page',
  { table: 'users', alias: 'person', columns: COLUMNS },
  '($5::text is null or customer_id = $5)',
);

/** Those who take a role away wait for each other, and so do those who sign in: of two tabs, for the first time. */
const LOCK_ADMINS = takeLock('ADMINS');
const OTHER_ADMIN = `select from users where role = 'admin' and id <> $1 limit 1`;

/** Whom the identity provider has sent. */
export interface Person {
  readonly issuer: string;
  readonly subject: string;
  readonly email: string;
  readonly name: string | null;
}

@Injectable()
export class UsersService {
  constructor(
    @Inject(FRESH_READS) private readonly reads: Reads,
    private readonly writes: RecordedWrites,
    private readonly transactions: Transactions,
  ) {}

  async list(query: ListQuery, boundTo: string | null): Promise<Page<UserResponse>> {
    const values = [...query.place, boundTo];
    const rows = await this.reads.page<UserRow & CountedRow>(LIST, values, query.isLarge);
    return pageFromRows(UserResponse, rows, toUserResponse, query);
  }

  async get(id: string, boundTo: string | null): Promise<UserResponse> {
    const row = await this.reads.firstRow<UserRow>(FIND_ONE, [id, boundTo]);
    if (row === undefined) throw noSuch('user');
    return toUserResponse(row);
  }

  /** Somebody new has no role. Address and name are taken over each time; so is that somebody is to be an administrator. */
  signIn(person: Person, isAdmin: boolean, requestId: string): Promise<User> {
    const admin = isAdmin ? ({ role: 'admin', customer_id: null } as const) : {};
    return this.transactions.run(async (manager) => {
      const { issuer, subject, email, name } = person;
      await manager.query(LOCK_ADMINS);
      const options = { where: { issuer, subject }, lock: { mode: 'pessimistic_write' } } as const;
      const stored = await manager.findOne(User, options);
      const seen = { last_seen_at: () => 'now()' };
      if (stored === null) await manager.insert(User, { ...person, ...admin, ...seen });
      else {
        const next = { email, name, ...admin };
        const isOther = changedFields(pick(stored), { ...pick(stored), ...next }).length > 0;
        await manager.update(
          User,
          { id: stored.id },
          { ...next, ...seen, ...(isOther && { updated_at: nextUpdatedAt }) },
        );
      }
      const user = await manager.findOneByOrFail(User, { issuer, subject });
      const actor = { kind: 'user', actor: user.id, name: name ?? email, email, requestId } as const;
      await recordActivity(manager, actor, broughtBy(stored, user));
      return user;
    });
  }

  patch(id: string, body: UserPatch, writer: Writer): Promise<WriteResult<UserResponse>> {
    return this.writes.run(writer, async (manager) => {
      const stored = await lock(manager, id, writer);
      const { role = stored.role, customer_id = stored.customer_id } = body;
      const before = toUserResponse(stored);
      const faults = [
        ...asItIsFaults(body, stored),
        ...roleFaults(stored, { role, customer_id }, body, writer),
      ];
      if (customer_id !== stored.customer_id) {
        const unknown = await customerFault(manager, customer_id, writer);
        if (unknown !== undefined) faults.push(unknown);
      }
      if (faults.length > 0) throw invalidFields(faults);
      const fields = changedFields(pick(stored), { ...pick(stored), role, customer_id });
      if (fields.length === 0) return { object: before };
      if (role !== 'admin') await requireOtherAdmin(manager, stored);
      await manager.update(User, { id }, { role, customer_id, updated_at: nextUpdatedAt });
      const object = toUserResponse(await manager.findOneByOrFail(User, { id }));
      const change = describeChange('user', id, 'update', fields, { ownerId: customer_id, before });
      return { object, change };
    });
  }

  /** With the sessions. */
  remove(id: string, writer: Writer): Promise<WriteResult<DeletedUserResponse>> {
    return this.writes.run(writer, async (manager) => {
      const stored = await lock(manager, id, writer);
      await requireOtherAdmin(manager, stored);
      await manager.delete(User, { id });
      return deletion('user', id, stored.customer_id, toUserResponse(stored));
    });
  }
}

/** One that the writer sees, as its conditions want it. */
async function lock(manager: EntityManager, id: string, writer: Writer): Promise<User> {
  await manager.query(LOCK_ADMINS);
  const where = { id, ...(writer.customerId !== null && { customer_id: writer.customerId }) };
  const options = { where, lock: { mode: 'pessimistic_write' } } as const;
  const stored = isStorable(id) ? await manager.findOne(User, options) : null;
  if (stored === null) throw noSuch('user');
  requireConditions(writer, 'user', taggedUser(toUserResponse(stored)));
  return stored;
}

/** A first sign-in is recorded, and that somebody has become an administrator by one; others change nothing. */
function broughtBy(stored: User | null, { id, name, role, customer_id }: User): Activity[] {
  const entry = { type: 'user', object_id: id, object_name: name, owner_id: customer_id } as const;
  if (stored === null) return [{ ...entry, operation: 'create' }];
  const was = { role: stored.role, customer_id: stored.customer_id };
  const changes = changesBetween(was, { role, customer_id });
  return Object.keys(changes).length === 0 ? [] : [{ ...entry, operation: 'update', changes }];
}

/** What a patch may hold because it was read. */
function asItIsFaults(body: UserPatch, stored: User): FieldFault[] {
  const faults = createdAtFaults(body.created_at, stored.created_at);
  for (const name of ['email', 'name'] as const)
    if (body[name] !== undefined && body[name] !== stored[name])
      faults.push(fieldFault(name, 'must stay as it is: the identity provider says it', quote(stored[name])));
  return faults;
}

function roleFaults(
  stored: User,
  next: Pick<User, 'role' | 'customer_id'>,
  body: UserPatch,
  { scopes }: Writer,
): FieldFault[] {
  const more = SCOPES_OF[next.role].filter((scope) => !scopes.includes(scope));
  const isWider = stored.customer_id !== null && next.customer_id !== stored.customer_id;
  if (more.length > 0 && (next.role !== stored.role || isWider)) {
    const name = next.role === stored.role ? 'customer_id' : 'role';
    return [fieldFault(name, 'gives scopes that you do not have yourself', more.join(', '))];
  }
  if (next.role !== 'admin' || next.customer_id === null) return [];
  return [
    fieldFault(body.customer_id == null ? 'role' : 'customer_id', 'cannot be: an admin is of no customer'),
  ];
}

/** What may change. */
const pick = ({ email, name, role, customer_id }: User) => ({ email, name, role, customer_id });

async function requireOtherAdmin(manager: EntityManager, { id, role }: User): Promise<void> {
  if (role !== 'admin') return;
  const others = await manager.query<unknown[]>(OTHER_ADMIN, [id]);
  if (others.length === 0) throw lastAdmin();
}

export function lastAdmin(): Problem {
  return conflict('last_admin', 'This is the last admin. Make somebody else one first.');
}
