// Fills an empty database with the demo fleet, through the same import the operator uses: all of it, or nothing.
import type { ClientBase } from 'pg';
import type { DataSource } from 'typeorm';
import { backtest, readHistories } from '../forecasts/backtest.js';
import { compare, setAside } from '../forecasts/model/record.js';
import { writeRecords, type StoredRecord } from '../forecasts/tank-store.js';
import { importLines } from '../operator/import/import-lines.js';
import { recordPastEvents } from './demo-events.js';
import { addRows } from './demo-examples.js';
import { readFleet } from './demo-fleet.js';
import { pastReadings } from './demo-readings.js';
import { addSensors } from './demo-sensors.js';

export async function isEmpty(dataSource: DataSource): Promise<boolean> {
  const found: unknown[] = await dataSource.query('select 1 from customers limit 1');
  return found.length === 0;
}

/** With a history that ends at `end`. */
export async function fillWithDemoFleet(dataSource: DataSource, end: number): Promise<void> {
  const { customers, tanks } = readFleet(end);
  const pasts = tanks.map((tank) => ({ tank, readings: [...pastReadings(tank, end)] }));
  const stored = tanks.map(({ life: _life, sensor: _sensor, ...tank }) => tank);
  async function* lines(): AsyncGenerator<Buffer> {
    yield ndjson('customer', customers);
    yield ndjson('tank', stored);
    for (const { readings } of pasts) yield ndjson('telemetry', readings);
  }
  const { refused } = await importLines(dataSource, lines(), {
    name: 'the demo fleet',
    command: 'demo',
    beforeCommit: async (client) => {
      await recordPastEvents(client, pasts, end);
      await addRows(client, 'sensor_profiles');
      await addSensors(client, tanks);
      await recordPastForecasts(client, end);
    },
  });
  if (refused > 0) throw new Error(`${refused} lines of the demo fleet were refused.`);
  await dataSource.query('analyze');
}

function ndjson(object: string, all: readonly object[]): Buffer {
  return Buffer.from(all.map((one) => `${JSON.stringify({ object, ...one })}\n`).join(''));
}

/**
 * What the demo would have forecast before its first start: its own readings are replayed night by night, and what was forecast each week is
 * set aside and compared. Only the demo does so: elsewhere, no forecast is in the record that was not made at its time.
 */
async function recordPastForecasts(client: ClientBase, end: number): Promise<void> {
  const tanks = await readHistories(client, { every: 7, onProgress: () => undefined });
  const records: StoredRecord[] = [];
  for (const { until, made } of backtest(tanks, end)) {
    for (const { one, forecast } of made) {
      const { curve } = one.tank;
      records.push({ tank_key: one.key, ...compare(setAside(curve, forecast), curve, until) });
    }
  }
  await writeRecords(client, records);
}
