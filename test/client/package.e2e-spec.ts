// The client as users get it: what is in the package, how large it is, and that it works outside the repository.
import { afterAll, describe, expect, it } from '@jest/globals';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startService } from '../support/app.js';
import { insertFleet } from '../support/ingest.js';
import { Packed } from './support/packed.js';

const SOURCES = fileURLToPath(new URL('../../client/src', import.meta.url));

const packed = await Packed.unpack();
for (const name of ['@types/node', 'undici-types']) await packed.borrow(name);
afterAll(() => packed.remove());

describe('the package', () => {
  it('has the code, its types, a README and a licence, and nothing else', async () => {
    const modules = (await readdir(SOURCES)).map((file) => file.replace(/\.ts$/, ''));
    const compiled = modules.flatMap((module) => [`dist/${module}.d.ts`, `dist/${module}.js`]);
    expect(await packed.files()).toEqual(['LICENSE', 'README.md', 'package.json', ...compiled].toSorted());
  });

  it('needs no other', async () => {
    const description = JSON.parse(await readFile(join(packed.place, 'package.json'), 'utf8')) as object;
    expect(Object.keys(description).filter((field) => /dependencies$/i.test(field))).toEqual([]);
  });
});

const PROGRAM = `
import { ProblemError, ReadingsRefusedError, TankMonitoring, verifyWebhook } from 'tank-monitoring-client';

const tms = new TankMonitoring({ url: process.env.URL, key: process.env.KEY });
const names = [];
for await (const tank of tms.tanks.list({ size: 2 })) names.push(tank.id);
console.log(names.sort().join(' '));
const reading = { tank_id: 'a', created_at: '2026-02-03T12:00:00Z', fill_percentage: 50 };
console.log((await tms.telemetry.send([reading])).created);
const error = await tms.telemetry.send([{ ...reading, tank_id: 'nobody' }]).catch((error) => error);
console.log(error instanceof ReadingsRefusedError, error instanceof ProblemError, error.errors[0].code);
for await (const page of tms.changes.follow({ after: 'latest' })) {
  console.log(page.object, page.data.length);
  break;
}
try { verifyWebhook('{}', {}, 'whsec_AAAA'); } catch (refusal) { console.log(refusal.name); }
`;

/** Each line compiles, and the types are what they look like: none is `any`. */
const TYPED = `
import {
  ConnectionError, ProblemError, ReadingsRefusedError, TankMonitoring, verifyWebhook, etagOf, ifUnchanged,
  type Customer, type DeletedTank, type EventType, type NewReading, type Reading, type Tank, type TankEvent,
} from 'tank-monitoring-client';

type IsAny<T> = 0 extends 1 & T ? true : false;
type Same<A, B> = [A, IsAny<A>] extends [B, IsAny<B>] ? ([B] extends [A] ? true : false) : false;
function same<A, B>(_proof: Same<A, B>): void {}

const tms = new TankMonitoring({ url: 'http://127.0.0.1', key: 'k', maxRetries: 5, timeoutMs: 1_000, fetch });
export async function use(signal: AbortSignal): Promise<void> {
  const tank = await tms.tanks.get('a', { signal });
  same<typeof tank, Tank | DeletedTank>(true);
  if (!('deleted' in tank)) same<typeof tank.location.city, string | null>(true);
  for await (const customer of tms.customers.list({ email: 'a@example.com' }))
    same<typeof customer, Customer>(true);
  for await (const reading of tms.telemetry.list('a', { created_at_gte: '2026-01-01' }))
    same<typeof reading, Reading>(true);
  const { data, total_items } = await tms.events.page({ type: 'tank.low' });
  same<typeof data, TankEvent[]>(true);
  same<typeof total_items, number>(true);
  same<EventType, 'tank.low' | 'tank.recovered' | 'tank.refilled' | 'tank.silent' | 'tank.reporting'>(true);
  const fleet = await tms.fleet.tanks.page({ low: true, sort: 'reported_at' });
  same<(typeof fleet.data)[0]['use_case'], 'residential' | 'commercial' | 'industrial' | null>(true);
  const readings: NewReading[] = [{ device_id: 'd', created_at: new Date().toISOString(), fill_percentage: 1 }];
  const batch = tms.telemetry.batcher({ maxReadings: 1000, maxDelayMs: 1000, signal });
  await batch.add(readings[0]!);
  try {
    same<Awaited<ReturnType<typeof tms.telemetry.send>>['created'], number>(true);
  } catch (error) {
    if (error instanceof ReadingsRefusedError) same<(typeof error.errors)[0]['reading'], NewReading>(true);
    if (error instanceof ProblemError) same<typeof error.requestId, string | undefined>(true);
    if (error instanceof ConnectionError) same<typeof error.name, 'ConnectionError'>(true);
  }
  for await (const page of tms.changes.follow({ types: ['tank', 'telemetry'], signal })) {
    same<typeof page.next, string>(true);
    for (const change of page.data) {
      if (change.type === 'tank') same<typeof change.data, Tank | DeletedTank>(true);
      else if (change.type === 'telemetry')
        same<typeof change.data.readings, { created_at: string; fill_percentage: number }[] | null>(true);
    }
  }
  const event = verifyWebhook('{}', new Headers(), ['whsec_a', 'whsec_b']);
  if (event.type !== 'ping') same<typeof event, TankEvent>(true);
  same<ReturnType<typeof etagOf>, string | undefined>(true);
  // @ts-expect-error -- a typo in a parameter
  void tms.tanks.page({ sizes: 3 });
  // @ts-expect-error -- no such type of event
  void tms.events.page({ type: 'tank.high' });
  // @ts-expect-error -- no such type of change
  void tms.changes.list({ types: ['sensor'] });
  void tms.tanks.patch('a', { location: null }, ifUnchanged(tank));
  void tms.telemetry.series('a', { points: 100 });
  void tms.telemetry.series('a', { interval: '1d', created_at_gte: '2026-01-01' });
  void tms.sensors.put('a', { profile_id: 'p', calibration: { table: [[1600, 0], [150, 100]], unit: 'mm' } });
  void batch.add({ tank_id: 'a', created_at: '2026-01-01', fill_percentage: 1 });
  const time = { created_at: '2026-01-01T00:00:00Z', fill_percentage: 1 };
  // @ts-expect-error -- of no tank and no device
  void batch.add(time);
  // @ts-expect-error -- of a tank and a device
  void batch.add({ ...time, tank_id: 'a', device_id: 'd' });
  // @ts-expect-error -- a point without its percentage
  void tms.sensors.put('a', { profile_id: 'p', calibration: { table: [[1600], [150]], unit: 'mm' } });
  // @ts-expect-error -- one point is no line
  void tms.sensors.put('a', { profile_id: 'p', calibration: { table: [[1600, 0]], unit: 'mm' } });
  // @ts-expect-error -- would change it whoever has changed it meanwhile
  void tms.tanks.patch('a', { name: 'n' }, { ifMatch: undefined });
  // @ts-expect-error -- the one or the other
  void tms.telemetry.series('a', { interval: '1d', points: 100 });
  // @ts-expect-error -- without a time
  void tms.telemetry.send([{ tank_id: 'a', fill_percentage: 1 }]);
}
`;

const STRICT =
  '--strict --exactOptionalPropertyTypes --noUncheckedIndexedAccess --noEmit --target es2022 --module nodenext'.split(
    ' ',
  );

/** The names that the README's examples share. */
const SHARED = `
import { TankMonitoring, type NewReading } from 'tank-monitoring-client';
const tms = new TankMonitoring({ url: 'http://127.0.0.1:3000', key: 'k' });
declare const id: string, readings: NewReading[], reading: NewReading, signal: AbortSignal, secret: string;
declare const stored: { cursor(): string | undefined; save(next: string): void };
declare const request: { text(): Promise<string>; headers: Headers };
`;

describe('outside the repository', () => {
  it('works in plain JavaScript, and can be required in CommonJS', async () => {
    const service = await startService();
    await insertFleet(service.sql);
    const key = await service.createKey({ scopes: ['read', 'telemetry:write'], customerId: 'ours' });
    await packed.write(
      'program.mjs',
      PROGRAM.replaceAll('process.env.URL', `'${service.url}'`).replaceAll('process.env.KEY', `'${key}'`),
    );
    expect(await packed.run('program.mjs')).toEqual({
      code: 0,
      said: 'a b half twin-1 twin-2\n1\ntrue true unknown_tank\nchanges 0\nWebhookVerificationError\n',
    });
    await packed.write(
      'program.cjs',
      "console.log(typeof require('tank-monitoring-client').TankMonitoring);",
    );
    expect(await packed.run('program.cjs')).toEqual({ code: 0, said: expect.stringMatching(/^function\n/) });
  });

  it('has a README whose examples compile', async () => {
    const readme = await readFile(join(packed.place, 'README.md'), 'utf8');
    const examples = [...readme.matchAll(/```ts\n(.*?)```/gs)].map(([, code = '']) => code);
    expect(examples.length).toBeGreaterThan(8);
    const files = examples.map((_, n) => `readme-${n}.mts`);
    for (const [n, code] of examples.entries()) {
      const own = code.includes('const tms =') ? '' : SHARED;
      await packed.write(files[n] ?? '', `${own}${code}\nexport {};\n`);
    }
    const options = [...STRICT, '--lib', 'es2022,dom', '--types', 'node', '--skipLibCheck'];
    expect(await packed.compile([...files, ...options])).toEqual({ code: 0, said: '' });
  });

  it.each([
    ['of a browser', ['--lib', 'es2022,dom,dom.iterable']],
    ['of Node', ['--lib', 'es2022', '--types', 'node']],
  ])('has strict types with those %s', async (_, options) => {
    await packed.write('typed.mts', TYPED);
    expect(await packed.compile(['typed.mts', ...STRICT, ...options])).toEqual({ code: 0, said: '' });
  });
});
