// A small fleet of two customers, and ways to send readings of its tanks.
import type { Pool } from 'pg';
import type { IngestResult } from 'tank-monitoring-client';
import type { Agent } from './app.js';
import { aTank, insertFleetOf, insertTanks } from './builders.js';

export const NOON = '2026-02-03T12:00:00.000Z';
export const ONE = '2026-02-03T13:00:00.000Z';

/** The tanks a and b of ours, c of theirs; deleted ones; and devices that two tanks have. */
export async function insertFleet(sql: Pool): Promise<void> {
  await insertFleetOf(sql, { ours: [], theirs: [] });
  await insertTanks(sql, [
    aTank('ours', { id: 'a', assigned_device_id: 'device-a' }),
    aTank('ours', { id: 'b', assigned_device_id: 'device-b' }),
    aTank('ours', { id: 'gone', assigned_device_id: 'device-gone', deleted: true }),
    aTank('ours', { id: 'twin-1', assigned_device_id: 'twins' }),
    aTank('ours', { id: 'twin-2', assigned_device_id: 'twins' }),
    aTank('ours', { id: 'half', assigned_device_id: 'shared' }),
    aTank('theirs', { id: 'their-half', assigned_device_id: 'shared' }),
    aTank('theirs', { id: 'c', assigned_device_id: 'device-c' }),
    aTank('theirs', { id: 'their-gone', assigned_device_id: 'device-their-gone', deleted: true }),
  ]);
}

export interface Sent {
  readonly type?: string;
  readonly encoding?: string;
  readonly query?: string;
}

type Body = string | Buffer | object;

/** Posts a body as it is; an object as JSON. */
export function post(
  sender: Agent,
  body: Body,
  { type = 'application/json', encoding, query = '' }: Sent = {},
) {
  const request = sender.post(`/v1/telemetry${query}`).set('Content-Type', type);
  if (encoding !== undefined) request.set('Content-Encoding', encoding);
  const bytes = typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
  return request.serialize((value: unknown) => value as string).send(bytes);
}

export function send(sender: Agent, readings: unknown[], sent: Sent = {}) {
  return post(sender, { readings }, sent);
}

export function reading(tank: string, at = NOON, fill: unknown = 50): Record<string, unknown> {
  return { tank_id: tank, created_at: at, fill_percentage: fill };
}

export function byDevice(device: string, at = NOON, fill: unknown = 50): Record<string, unknown> {
  return { device_id: device, created_at: at, fill_percentage: fill };
}

/** Every stored reading, by tank and instant. */
export async function stored(sql: Pool): Promise<Record<string, number>> {
  const { rows } = await sql.query<{ id: string; at: Date; fill: number }>(
    `select id, telemetry.created_at as at, fill_percentage as fill
     from telemetry join tanks on tanks.key = tank_key order by 1, 2`,
  );
  return Object.fromEntries(rows.map(({ id, at, fill }) => [`${id} ${at.toISOString()}`, fill]));
}

type Counts = Omit<IngestResult, 'object' | 'errors'>;

export function counts(given: Partial<Counts>): Counts {
  return { created: 0, updated: 0, unchanged: 0, superseded: 0, refused: 0, ...given };
}

/** The whole body of a 200. */
export function result(given: Partial<Counts>): object {
  return { object: 'ingest_result', ...counts(given), errors: [] };
}
