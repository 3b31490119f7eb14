// Random writes of customers and tanks over HTTP, by import and by SQL, in any order, against a plain model in memory: every answer,
// and afterwards lists, totals, the fleet and the kept states.
import { expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { Readable } from 'node:stream';
import { SCOPES } from '../../src/common/auth/scope.js';
import { verifyCounts } from '../../src/operator/counts/counts.js';
import { withDataSource } from '../../src/platform/database/data-source.js';
import { importLines } from '../../src/operator/import/import-lines.js';
import { startService } from '../support/app.js';
import {
  aCustomer,
  aTank,
  clear,
  insertCustomers,
  insertReadings,
  insertTanks,
} from '../support/builders.js';
import { outcomeOf } from '../support/manage.js';
import { holds, PROPERTY_TIMEOUT_MS } from '../support/properties.js';

const service = await startService();
const { sql } = service;
const api = service.agent(await service.createKey({ scopes: SCOPES }));

const CUSTOMERS = ['c1', 'c2', 'c3'] as const;
const TANKS = ['t1', 't2', 't3', 't4'] as const;

const customer = fc.constantFrom(...CUSTOMERS);
const tank = fc.constantFrom(...TANKS);
/** The first two are one device, spelled in two ways. */
const device = fc.constantFrom('0016C001F000175A', '00-16-c0-01-f0-00-17-5a', 'd', '');
const threshold = fc.constantFrom(0, 20, 60);
const by = fc.constantFrom('http' as const, 'import' as const, 'sql' as const);
const fields = fc.record({ owner: customer, device, threshold });

const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('put tank' as const), by, tank, fields }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('patch tank' as const),
      tank,
      fields: fc.record({ owner: customer, device, threshold }, { requiredKeys: [] }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('delete tank' as const), by, tank }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('put customer' as const),
      by,
      customer,
      name: fc.constantFrom('a', 'b'),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('delete customer' as const), by, customer }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('read' as const), tank, fill: fc.constantFrom(10, 50, 90) }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** So that there is something to change from the start. */
const BEGINNING: readonly Step[] = [
  ...CUSTOMERS.slice(1).map((one) => ({ do: 'put customer', by: 'http', customer: one, name: 'a' }) as const),
  ...TANKS.slice(1).map(
    (one) =>
      ({
        do: 'put tank',
        by: 'http',
        tank: one,
        fields: { owner: 'c2', device: '', threshold: 20 },
      }) as const,
  ),
  { do: 'delete tank', by: 'http', tank: 't2' },
];

interface ModelTank {
  owner: string;
  device: string;
  threshold: number;
  deleted: boolean;
  fill: number | null;
}

const sameDevice = (id: string) => id.replaceAll('-', '').toUpperCase();

class Model {
  readonly customers = new Map<string, { name: string; deleted: boolean }>();
  readonly tanks = new Map<string, ModelTank>();

  liveTanks(): [string, ModelTank][] {
    return [...this.tanks].filter(([, { deleted }]) => !deleted).toSorted(([a], [b]) => (a < b ? -1 : 1));
  }

  tankCount(owner: string): number {
    return this.liveTanks().filter(([, one]) => one.owner === owner).length;
  }

  isLive(id: string): boolean {
    return this.customers.get(id)?.deleted === false;
  }

  isTaken(id: string, wanted: string): boolean {
    const mine = this.tanks.get(id);
    const keeps = mine?.deleted === false && sameDevice(mine.device) === sameDevice(wanted);
    return (
      wanted !== '' &&
      !keeps &&
      this.liveTanks().some(([other, one]) => other !== id && sameDevice(one.device) === sameDevice(wanted))
    );
  }

  /** What HTTP answers, and does when that is a success. */
  putTank(id: string, wanted: { owner: string; device: string; threshold: number }): string {
    if (!this.isLive(wanted.owner)) return '400 invalid_fields';
    if (this.isTaken(id, wanted.device)) return '409 device_taken';
    const before = this.tanks.get(id);
    this.setTank(id, wanted);
    return before?.deleted === false ? '200' : '201';
  }

  patchTank(id: string, wanted: Partial<{ owner: string; device: string; threshold: number }>): string {
    const mine = this.tanks.get(id);
    if (mine === undefined) return '404 not_found';
    if (mine.deleted) return '409 deleted';
    if (wanted.owner !== undefined && !this.isLive(wanted.owner)) return '400 invalid_fields';
    if (wanted.device !== undefined && this.isTaken(id, wanted.device)) return '409 device_taken';
    Object.assign(mine, wanted);
    return '200';
  }

  setTank(id: string, wanted: { owner: string; device: string; threshold: number }): void {
    this.tanks.set(id, { ...wanted, deleted: false, fill: this.tanks.get(id)?.fill ?? null });
  }

  deleteCustomer(id: string): string {
    const mine = this.customers.get(id);
    if (mine === undefined) return '404 not_found';
    if (!mine.deleted && this.tankCount(id) > 0) return '409 owns_tanks';
    mine.deleted = true;
    return '200';
  }
}

const tankBody = (wanted: Partial<{ owner: string; device: string; threshold: number }>) => ({
  ...(wanted.owner !== undefined && { owner_id: wanted.owner }),
  ...(wanted.device !== undefined && { assigned_device_id: wanted.device }),
  ...(wanted.threshold !== undefined && { min_fill_alert_percentage: wanted.threshold }),
});
const WHOLE = { name: 'n', capacity: 1, capacity_unit: 'liters' as const };

async function importOne(object: object): Promise<void> {
  await withDataSource(service.database.url, async (source) => {
    await importLines(source, Readable.from([Buffer.from(`${JSON.stringify(object)}\n`)]));
  });
}

/** Imports and SQL do what they are told; the model follows. */
async function putTankPastHttp(
  model: Model,
  { by: way, tank: id, fields: wanted }: Extract<Step, { do: 'put tank' }>,
): Promise<void> {
  if (!model.customers.has(wanted.owner)) return; // neither would take it
  const body = { id, ...WHOLE, ...tankBody(wanted), owner_id: wanted.owner };
  if (way === 'import') await importOne({ object: 'tank', ...body, location: {} });
  else if (model.tanks.has(id)) {
    await sql.query(
      'update tanks set owner_id = $2, assigned_device_id = $3, min_fill_alert_percentage = $4, deleted = false where id = $1',
      [id, wanted.owner, wanted.device, wanted.threshold],
    );
  } else await insertTanks(sql, [aTank(wanted.owner, { ...body })]);
  model.setTank(id, wanted);
}

async function play(model: Model, one: Step): Promise<{ told: string; expected: string }> {
  const none = { told: '', expected: '' };
  switch (one.do) {
    case 'put tank': {
      if (one.by !== 'http') {
        await putTankPastHttp(model, one);
        return none;
      }
      const told = outcomeOf(
        await api.put(`/v1/tanks/${one.tank}`).send({ ...WHOLE, ...tankBody(one.fields) }),
      );
      return { told, expected: model.putTank(one.tank, one.fields) };
    }
    case 'patch tank': {
      const told = outcomeOf(await api.patch(`/v1/tanks/${one.tank}`).send(tankBody(one.fields)));
      return { told, expected: model.patchTank(one.tank, one.fields) };
    }
    case 'delete tank': {
      const mine = model.tanks.get(one.tank);
      const expected = mine === undefined ? '404 not_found' : '200';
      if (one.by === 'http') {
        const told = outcomeOf(await api.delete(`/v1/tanks/${one.tank}`));
        if (mine !== undefined) mine.deleted = true;
        return { told, expected };
      }
      if (one.by === 'sql') await sql.query('update tanks set deleted = true where id = $1', [one.tank]);
      else await importOne({ id: one.tank, object: 'tank', deleted: true });
      if (mine !== undefined) mine.deleted = true;
      return none;
    }
    case 'put customer': {
      const body = { email: 'e', name: one.name };
      const isLive = model.isLive(one.customer);
      const isKnown = model.customers.has(one.customer);
      model.customers.set(one.customer, { name: one.name, deleted: false });
      if (one.by === 'http') {
        return {
          told: outcomeOf(await api.put(`/v1/customers/${one.customer}`).send(body)),
          expected: isLive ? '200' : '201',
        };
      }
      if (one.by === 'import')
        await importOne({ object: 'customer', id: one.customer, ...body, is_verified: false });
      else if (isKnown)
        await sql.query('update customers set name = $2, deleted = false where id = $1', [
          one.customer,
          one.name,
        ]);
      else await insertCustomers(sql, [aCustomer({ id: one.customer, ...body })]);
      return none;
    }
    case 'delete customer': {
      if (one.by === 'http') {
        return {
          told: outcomeOf(await api.delete(`/v1/customers/${one.customer}`)),
          expected: model.deleteCustomer(one.customer),
        };
      }
      if (one.by === 'sql')
        await sql.query('update customers set deleted = true where id = $1', [one.customer]);
      else await importOne({ id: one.customer, object: 'customer', deleted: true });
      const mine = model.customers.get(one.customer);
      if (mine !== undefined) mine.deleted = true;
      return none;
    }
    default: {
      const mine = model.tanks.get(one.tank);
      if (mine === undefined) return none;
      await insertReadings(sql, one.tank, [
        { created_at: new Date().toISOString(), fill_percentage: one.fill },
      ]);
      mine.fill = one.fill;
      return none;
    }
  }
}

interface Listed {
  readonly total_items: number;
  readonly data: readonly Record<string, unknown>[];
}

const isLow = ({ fill, threshold: at }: ModelTank) => fill !== null && fill <= at;
/** As texts, so that they can be sorted. */
const sorted = (rows: readonly unknown[]) => rows.map((row) => JSON.stringify(row)).toSorted();

/** What the API shows of everything. */
async function shown(): Promise<object> {
  const list = async (path: string) => (await api.get(`${path}size=100`).expect(200)).body as Listed;
  const [customers, tanks, fleet] = [
    await list('/v1/customers?'),
    await list('/v1/tanks?'),
    await list('/v1/fleet/tanks?'),
  ];
  const { body: counts } = await api.get('/v1/fleet').expect(200);
  const { tanks: all, low, reported } = counts as Record<string, number>;
  return {
    totals: [customers.total_items, tanks.total_items, fleet.total_items, all],
    customers: sorted(customers.data.map(({ id, name, tank_count }) => [id, name, tank_count])),
    tanks: sorted(
      tanks.data.map((one) => [
        one['id'],
        one['owner_id'],
        one['assigned_device_id'],
        one['min_fill_alert_percentage'],
      ]),
    ),
    fleet: sorted(
      fleet.data.map((one) => [
        one['tank_id'],
        one['owner_id'],
        one['owner_name'],
        one['fill_percentage'],
        one['low'],
      ]),
    ),
    counts: [reported, low],
  };
}

function expectedOf(model: Model): object {
  const live = model.liveTanks();
  const customers = [...model.customers].filter(([, { deleted }]) => !deleted);
  return {
    totals: [customers.length, live.length, live.length, live.length],
    customers: sorted(customers.map(([id, { name }]) => [id, name, model.tankCount(id)])),
    tanks: sorted(live.map(([id, one]) => [id, one.owner, one.device, one.threshold])),
    fleet: sorted(
      live.map(([id, one]) => [
        id,
        one.owner,
        model.isLive(one.owner) ? model.customers.get(one.owner)?.name : null,
        one.fill,
        isLow(one),
      ]),
    ),
    counts: [
      live.filter(([, { fill }]) => fill !== null).length,
      live.filter(([, one]) => isLow(one)).length,
    ],
  };
}

it(
  'writes by HTTP, import and SQL in any order leave what a plain model holds',
  async () => {
    const seen: Record<string, number> = {};
    const property = fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 40 }), async (steps) => {
      await clear(sql);
      const model = new Model();
      for (const one of [...BEGINNING, ...steps]) {
        const { told, expected } = await play(model, one);
        expect({ one, told }).toEqual({ one, told: expected });
        seen[told] = (seen[told] ?? 0) + 1;
      }
      expect(await shown()).toEqual(expectedOf(model));
      expect(await withDataSource(service.database.url, verifyCounts)).toEqual({ first: [], total: 0 });
    });
    expect(await holds(property, 25)).toBe(true);
    const outcomes = [
      '200',
      '201',
      '400 invalid_fields',
      '404 not_found',
      '409 deleted',
      '409 device_taken',
      '409 owns_tanks',
    ];
    for (const outcome of outcomes) expect([outcome, (seen[outcome] ?? 0) > 0]).toEqual([outcome, true]);
  },
  PROPERTY_TIMEOUT_MS,
);
