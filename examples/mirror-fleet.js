// A mirror: keeps a copy of customers, tanks and their newest readings in a SQLite file, for reports and joins of your own. It starts
// with the lists, then follows the changes; started again, it goes on where it was.
//
//   TANKS_URL=http://127.0.0.1:3000 TANKS_KEY=… node examples/mirror-fleet.js fleet.db
import { rmSync } from 'node:fs';
import sqlite from 'node-sqlite3-wasm'; // runs on any Node; from Node 22.13 on node:sqlite does the same
import { ProblemError, TankMonitoring } from 'tank-monitoring-client';

const { TANKS_URL = 'http://127.0.0.1:3000', TANKS_KEY = '' } = process.env;
const [file = 'fleet.db'] = process.argv.slice(2);

const tms = new TankMonitoring({ url: TANKS_URL, key: TANKS_KEY, maxRetries: 10 });
const stop = new AbortController();
const { signal } = stop;
for (const name of ['SIGINT', 'SIGTERM']) process.once(name, () => stop.abort());

rmSync(`${file}.lock`, { recursive: true, force: true }); // of a mirror that was killed: nobody else writes to this file
const db = new sqlite.Database(file);
db.exec(`
  create table if not exists customers (id text primary key, name text, email text, object text);
  create table if not exists tanks (id text primary key, owner_id text, name text, capacity real, unit text, object text);
  create table if not exists levels (tank_id text primary key, reported_at text, fill_percentage real);
  create table if not exists cursor (next text)`);

try {
  for (;;) await mirror();
} catch (error) {
  if (!signal.aborted) throw error;
} finally {
  db.close();
}

async function mirror() {
  if (cursor() === undefined) await inOneStep(copyAll);
  try {
    for await (const page of tms.changes.follow({ after: cursor(), signal }))
      await inOneStep(async () => {
        for (const change of page.data) await apply(change);
        return page.next;
      });
  } catch (error) {
    if (!(error instanceof ProblemError && error.status === 410)) throw error;
    console.error('The copy is too old to be brought up to date: it is made anew.');
    db.run('delete from cursor');
  }
}

/** Everything there is. What changes meanwhile comes again afterwards, from the cursor that was taken first. */
async function copyAll() {
  const { next } = await tms.changes.list({ after: 'latest' }, { signal });
  db.exec('delete from customers; delete from tanks; delete from levels');
  for await (const customer of tms.customers.list({}, { signal })) putCustomer(customer);
  for await (const tank of tms.tanks.list({}, { signal })) putTank(tank);
  for await (const { tank_id, reported_at, fill_percentage } of tms.fleet.tanks.list({}, { signal }))
    if (reported_at !== null) putLevel(tank_id, reported_at, fill_percentage);
  console.log('Copied.');
  return next;
}

/** What comes twice does no harm. @param {import('tank-monitoring-client').Change} change */
async function apply({ type, id, data }) {
  if (type === 'telemetry') return applyReadings(id, data);
  if (type === 'event') return;
  if (!data.deleted) return type === 'customer' ? putCustomer(data) : putTank(data);
  db.run(`delete from ${type}s where id = ?`, [id]);
  if (type === 'tank') db.run('delete from levels where tank_id = ?', [id]);
}

/** @param {string} tankId @param {import('tank-monitoring-client').ChangedReadings} changed */
async function applyReadings(tankId, { created_at_lte, readings }) {
  const known = db.get('select reported_at from levels where tank_id = ?', [tankId]);
  if (known && known.reported_at > created_at_lte) return; // older ones
  const newest = readings?.at(-1) ?? (await newestOf(tankId));
  if (newest === undefined) db.run('delete from levels where tank_id = ?', [tankId]);
  else putLevel(tankId, newest.created_at, newest.fill_percentage);
}

/** Readings were removed, or are too many for the feed. @param {string} tankId */
async function newestOf(tankId) {
  try {
    return (await tms.telemetry.page(tankId, { size: 1 }, { signal })).data[0];
  } catch (error) {
    if (error instanceof ProblemError && error.status === 404) return undefined; // the tank is gone, too
    throw error;
  }
}

/** @param {import('tank-monitoring-client').Customer} customer */
function putCustomer(customer) {
  const { id, name, email } = customer;
  db.run('insert or replace into customers values (?, ?, ?, ?)', [id, name, email, JSON.stringify(customer)]);
}

/** @param {import('tank-monitoring-client').Tank} tank */
function putTank(tank) {
  const { id, owner_id, name, capacity, capacity_unit } = tank;
  const values = [id, owner_id, name, capacity, capacity_unit, JSON.stringify(tank)];
  db.run('insert or replace into tanks values (?, ?, ?, ?, ?, ?)', values);
}

/** @param {string} tankId @param {string} reportedAt @param {number} fill */
function putLevel(tankId, reportedAt, fill) {
  db.run('insert or replace into levels values (?, ?, ?)', [tankId, reportedAt, fill]);
}

/** How far the copy goes; undefined when there is none. */
function cursor() {
  return db.get('select next from cursor')?.next;
}

/** The copy and how far it goes change together, or not at all. @param {() => Promise<string>} work */
async function inOneStep(work) {
  db.exec('begin');
  try {
    const next = await work();
    db.run('delete from cursor');
    db.run('insert into cursor values (?)', [next]);
    db.exec('commit');
  } catch (error) {
    db.exec('rollback');
    throw error;
  }
}
