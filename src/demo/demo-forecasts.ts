// What the demo would have forecast before its first start: its own readings are replayed night by night, and what was forecast each week is
// set aside and compared. Only the demo does so: elsewhere, no forecast is in the record that was not made at its time.
import type { ClientBase } from 'pg';
import { backtest, readHistories } from '../forecasts/backtest.js';
import { compare, setAside } from '../forecasts/model/record.js';
import { writeRecords, type StoredRecord } from '../forecasts/tank-store.js';

/** For a database into which the fleet was just imported, with a history until `end`. */
export async function recordPastForecasts(client: ClientBase, end: number): Promise<void> {
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
