// Tanks: read by one statement a request; each change is one transaction that locks what its decision depends on.
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Customer } from '../customers/customer.entity.js';
import { selectList } from '../platform/database/columns.js';
import { isStorable, Reads, type Statement } from '../platform/database/reads.js';
import {
  changedFields,
  describeChange,
  nextUpdatedAt,
  storedFields,
  RecordedWrites,
  requireConditions,
  RESTORED,
} from '../common/writes/recorded-writes.js';
import type { Writer, WriteResult } from '../common/writes/recorded-writes.js';
import { longTextFaults } from '../common/validation/limited-text.js';
import { createdAtFaults } from '../common/validation/read-only-fields.js';
import { deviceTaken, idTaken, isDeleted, isErased, ownerDeleted } from '../common/writes/problems.js';
import { resolveOwner } from '../common/auth/caller.js';
import { byIds, pageFromRows, pageOfCounted, pageOfFew } from '../common/pagination/page.js';
import type { CountedRow, Listed, Page } from '../common/pagination/page.js';
import { noSuch } from '../common/problems/problem.js';
import { quote } from '../common/validation/fault.js';
import { invalidFields } from '../common/validation/field-mistakes.js';
import { deviceKey } from './device-key.js';
import type { TankInput, TankPatch, TanksQuery } from './dto/tank.input.js';
import { showTank, TankResponse, toTankResponse } from './dto/tank.response.js';
import type { DeletedTankResponse, TankRow } from './dto/tank.response.js';
import { Location, Tank } from './tank.entity.js';
import { takeLock } from '../platform/schema/locks.js';

const COLUMNS = selectList('tank', Tank);

const FIND_ONE: Statement = {
  name: 'tank_by_id',
  text: `select ${COLUMNS} from tanks tank where id = $1 and ($2::text is null or owner_id = $2)`,
};

const TANKS: Listed = { table: 'tanks', alias: 'tank', columns: COLUMNS };

const FIND_ALL = byIds('tanks_by_ids', TANKS, 'not deleted and ($2::text is null or owner_id = $2)');

const LIST = pageOfCounted('tanks_page', TANKS, 'tanks_locate($1, $2, $3)', 'not deleted');

/** By what tanks are found: each has an index of its own, of a custom id its beginning. `$` is the value. */
const FILTERS = {
  owner_id: 'owner_id = $',
  custom_id: 'left(custom_id, 200) collate "C" = left($, 200) and custom_id = $',
  assigned_device_id: 'device_key(assigned_device_id) = device_key($)',
};
type Filter = keyof typeof FILTERS;

/** The values follow those of the page, in the order of the filters. */
function pageOfFound(filters: readonly Filter[]): Statement {
  const conditions = filters.map((filter, i) => FILTERS[filter].replaceAll('$', () => `$${i + 5}`));
  return pageOfFew(`tanks_page_by_${filters.join('_')}`, TANKS, ['not deleted', ...conditions].join(' and '));
}

/** So that of two tanks that want a device at once, the second sees that it is taken. */
const LOCK_DEVICE = takeLock('DEVICE');

/** Another live tank with the device: one that the key sees, if there is one. Another customer's tank keeps its device even if it has the same id. */
const HOLDER = `
  select id, ($3::text is null or owner_id = $3) as is_visible
  from tanks
  where device_key(assigned_device_id) = device_key($1) and not deleted
    and (id is distinct from $2 or owner_id <> $3)
  order by is_visible desc, id limit 1`;

@Injectable()
export class TanksService {
  constructor(
    private readonly reads: Reads,
    private readonly writes: RecordedWrites,
  ) {}

  /** A key bound to a customer lists that customer's tanks. */
  async list(query: TanksQuery, boundTo: string | null): Promise<Page<TankResponse>> {
    const { since, until, skip, size, isLarge, custom_id, assigned_device_id } = query;
    const wanted = { owner_id: resolveOwner(query.owner_id, boundTo), custom_id, assigned_device_id };
    const filters = (Object.keys(FILTERS) as Filter[]).filter((name) => (wanted[name] ?? null) !== null);
    const values = filters.map((name) => wanted[name] ?? '');
    const statement = filters.length === 0 ? LIST : pageOfFound(filters);
    const all = [since, until, skip, size, ...values];
    const rows = await this.reads.page<TankRow & CountedRow>(statement, all, isLarge);
    return pageFromRows(TankResponse, rows, toTankResponse, query);
  }

  async get(id: string, boundTo: string | null): Promise<TankResponse | DeletedTankResponse> {
    const row = await this.reads.firstRow<TankRow>(FIND_ONE, [id, boundTo]);
    if (row === undefined) throw noSuch('tank');
    return showTank(row);
  }

  /** Those that are there, by their ids. */
  async findAll(ids: readonly string[], boundTo: string | null): Promise<Map<string, TankResponse>> {
    if (ids.length === 0) return new Map();
    const rows = await this.reads.rows<TankRow>(FIND_ALL, [JSON.stringify(ids), boundTo], true);
    return new Map(rows.map((row) => [row.id, toTankResponse(row)]));
  }

  create(body: TankInput, writer: Writer): Promise<WriteResult<TankResponse>> {
    return this.writes.run(writer, async (manager) => {
      const next = newTank(body);
      const { owner } = await this.lock(manager, body, undefined);
      requireStoredFacts(body, owner, null, writer);
      await this.requireFreeDevice(manager, undefined, next, undefined, writer);
      return this.insert(manager, next, body);
    });
  }

  replace(id: string, body: TankInput, writer: Writer): Promise<WriteResult<TankResponse>> {
    return this.writes.run(writer, async (manager) => {
      const { stored, owner } = await this.lock(manager, body, id);
      const known = stored !== null && sees(writer, stored) ? stored : null;
      requireConditions(writer, 'tank', known === null ? undefined : showTank(known));
      const next = newTank(body);
      requireStoredFacts(body, owner, known, writer);
      await this.requireFreeDevice(manager, live(known), next, id, writer);
      if (known !== null) return this.update(manager, known, next);
      if (stored !== null) throw idTaken();
      return this.insert(manager, Object.assign(next, { id }), body);
    });
  }

  patch(id: string, body: TankPatch, writer: Writer): Promise<WriteResult<TankResponse>> {
    return this.writes.run(writer, async (manager) => {
      const { stored, owner } = await this.lock(manager, body, id);
      if (stored === null || !sees(writer, stored)) throw noSuch('tank');
      requireConditions(writer, 'tank', showTank(stored));
      if (stored.deleted) throw isDeleted('tank');
      const next = patched(stored, body);
      requireStoredFacts(body, owner, stored, writer);
      await this.requireFreeDevice(manager, stored, next, id, writer);
      return this.update(manager, stored, next);
    });
  }

  remove(id: string, writer: Writer): Promise<WriteResult<DeletedTankResponse>> {
    return this.writes.run(writer, async (manager) => {
      const { stored } = await this.lock(manager, {}, id);
      if (stored === null || !sees(writer, stored)) throw noSuch('tank');
      requireConditions(writer, 'tank', showTank(stored));
      const object = { id, object: 'tank', deleted: true } as const;
      if (stored.deleted) return { object };
      await manager.update(Tank, { id }, { deleted: true, updated_at: nextUpdatedAt });
      const whose = { ownerId: stored.owner_id, before: stored };
      return { object, change: describeChange('tank', id, 'delete', ['deleted'], whose) };
    });
  }

  /** What has to be locked is known by the tank itself, so it is read twice; nobody but a PUT, which restores it, changes a deleted one. */
  restore(id: string, writer: Writer): Promise<WriteResult<TankResponse>> {
    return this.writes.run(writer, async (manager) => {
      const found = isStorable(id) ? await manager.findOneBy(Tank, { id }) : null;
      const { stored, owner } = await this.lock(manager, found ?? {}, id);
      if (stored === null || !sees(writer, stored)) throw noSuch('tank');
      requireConditions(writer, 'tank', showTank(stored));
      if (!stored.deleted) return { object: toTankResponse(stored) };
      if (stored.erased) throw isErased('tank');
      if (owner?.deleted !== false) throw ownerDeleted();
      await this.requireFreeDevice(manager, undefined, stored, id, writer);
      await manager.update(Tank, { id }, { deleted: false, updated_at: nextUpdatedAt });
      const whose = { ownerId: stored.owner_id, changes: RESTORED };
      const object = toTankResponse(await manager.findOneByOrFail(Tank, { id }));
      return { object, change: describeChange('tank', id, 'restore', ['deleted'], whose) };
    });
  }

  /**
   * Locks what the change depends on, everybody in one order: the device, the table, the owner, the tank. An import locks the tables and
   * then rows of customers, so nobody may hold such a row and wait for the table. Not "for update": readings refer to the tank's key.
   */
  private async lock(
    manager: EntityManager,
    {
      assigned_device_id: device = '',
      owner_id: ownerId,
    }: Partial<Pick<Tank, 'assigned_device_id' | 'owner_id'>>,
    id: string | undefined,
  ): Promise<{ stored: Tank | null; owner: Customer | null }> {
    if (device !== '') await manager.query(LOCK_DEVICE, [device]);
    await manager.query('lock table tanks in row exclusive mode');
    const owner =
      ownerId === undefined
        ? null
        : await manager.findOne(Customer, { where: { id: ownerId }, lock: { mode: 'for_key_share' } });
    const stored =
      id === undefined || !isStorable(id)
        ? null
        : await manager.findOne(Tank, { where: { id }, lock: { mode: 'for_no_key_update' } });
    return { stored, owner };
  }

  /** The device that the tank has already may be sent again. */
  private async requireFreeDevice(
    manager: EntityManager,
    before: Tank | undefined,
    { assigned_device_id: device }: Tank,
    id: string | undefined,
    { customerId: boundTo }: Writer,
  ): Promise<void> {
    if (device === '') return;
    if (before !== undefined && deviceKey(before.assigned_device_id) === deviceKey(device)) return;
    const [holder] = await manager.query<{ id: string; is_visible: boolean }[]>(HOLDER, [
      device,
      id ?? null,
      boundTo,
    ]);
    if (holder !== undefined) throw deviceTaken(holder.is_visible ? holder.id : null);
  }

  private async insert(
    manager: EntityManager,
    next: Tank,
    { created_at }: TankInput,
  ): Promise<WriteResult<TankResponse>> {
    const tank = Object.assign(next, created_at === undefined ? {} : { created_at });
    await manager.insert(Tank, tank);
    const whose = { ownerId: tank.owner_id };
    const change = describeChange('tank', tank.id, 'create', changedFields({}, storedFields(tank)), whose);
    return { object: toTankResponse(tank), change };
  }

  private async update(manager: EntityManager, stored: Tank, next: Tank): Promise<WriteResult<TankResponse>> {
    const { id } = stored;
    const fields = changedFields(storedFields(stored), storedFields(next));
    if (!stored.deleted && fields.length === 0) return { object: toTankResponse(stored) };
    await manager.update(Tank, { id }, { ...storedFields(next), deleted: false, updated_at: nextUpdatedAt });
    const whose = { ownerId: next.owner_id, before: toTankResponse(stored) };
    const change = stored.deleted
      ? describeChange('tank', id, 'restore', ['deleted', ...fields], whose)
      : describeChange('tank', id, 'update', fields, whose);
    return { object: toTankResponse(await manager.findOneByOrFail(Tank, { id })), change };
  }
}

/** Checks values that are valid by themselves against what is stored. */
function requireStoredFacts(
  body: Partial<TankInput>,
  owner: Customer | null,
  stored: Tank | null,
  { customerId: boundTo }: Writer,
): void {
  const { owner_id: sent, created_at: createdAt } = body;
  const faults = [...createdAtFaults(createdAt, stored?.created_at), ...longTextFaults(body, stored)];
  const isOwner = owner?.deleted === false && (boundTo === null || boundTo === owner.id);
  if (sent !== undefined && !isOwner)
    faults.push({ pointer: '/owner_id', reason: 'unknown owner', detail: quote(sent) });
  if (faults.length > 0) throw invalidFields(faults);
}

const sees = ({ customerId }: Writer, tank: Tank) => customerId === null || tank.owner_id === customerId;

const live = (tank: Tank | null) => (tank === null || tank.deleted ? undefined : tank);

/** What is left out has its default. */
function newTank(body: TankInput): Tank {
  return Object.assign(new Tank(), storedFields(body), { location: locationWith({}, body.location ?? {}) });
}

/** What is left out stays; null clears the whole location. */
function patched(stored: Tank, body: TankPatch): Tank {
  const { location } = body;
  const kept = location === null ? {} : stored.location;
  return Object.assign(new Tank(), stored, storedFields(body), {
    location: locationWith(kept, location ?? {}),
  });
}

function locationWith(kept: object, sent: object): Location {
  return Object.assign(new Location(), kept, storedFields(sent));
}
