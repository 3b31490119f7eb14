// What happened to the demo's tanks before its first start. Their past is judged by the rule for all events as if each reading had just come
// in, and the event is given its time. Only the demo does so: elsewhere, readings this old cause no event.
import type { ClientBase } from 'pg';
import { judge, type JudgedEvent, type Judgement } from '../alerts/judge.js';
import { recordJudgements } from '../alerts/judging.js';
import { silentAfterSeconds, type Reading } from '../rules.js';
import type { DemoTank } from './demo-fleet.js';
import type { DemoReading } from './demo-readings.js';

/** Its readings, the newest first. */
interface Past {
  readonly tank: DemoTank;
  readonly readings: readonly DemoReading[];
}

/** Silence shorter than this is not noticed. */
const NOTICED_AFTER_MS = 60_000;

/** The moment of an event is that of its reading, or of silence, when the next reading was overdue. */
const GIVE_TIMES = `
  update events set id = event_id(happened.at, number_of_event(events.id)), created_at = happened.at
  from (
    select id, (data #>> '{reading,created_at}')::timestamptz
               + case when type = 'tank.silent' then (data ->> 'silent_after_seconds')::integer else 0 end * interval '1 second' as at
    from events
  ) happened where happened.id = events.id`;

/** For a database into which the fleet was just imported. */
export async function recordPastEvents(
  client: ClientBase,
  pasts: readonly Past[],
  end: number,
): Promise<void> {
  const { rows } = await client.query<{ id: string; key: string }>('select id, key from tanks');
  const keys = new Map(rows.map(({ id, key }) => [id, key]));
  await recordJudgements(
    client,
    pasts.map((past) => ({ key: keys.get(past.tank.id) ?? '', ...judgePast(past, end) })),
  );
  await client.query(GIVE_TIMES);
}

/** From silence to silence. Without `writes`, no reading was old when it came. */
function judgePast({ tank, readings: past }: Past, end: number): Judgement {
  const readings = past.map(({ created_at, fill_percentage }): Reading => ({
    at: Date.parse(created_at),
    fill: fill_percentage,
  }));
  const lastNoticed = tank.deleted === true ? Date.parse(tank.updated_at) : end;
  const threshold = tank.min_fill_alert_percentage;
  const first = { wasSilent: false, wasRestored: false, goesOn: false, writes: [] };
  const always = { threshold, knownThreshold: threshold, ...first };
  const events: JudgedEvent[] = [];
  let known: Reading | undefined;
  let memory = { low: false, silenceReported: false };
  for (const [place, reading] of [...readings.entries()].toReversed()) {
    const next = readings[place - 1];
    const noticedUntil = next === undefined ? lastNoticed : next.at - NOTICED_AFTER_MS;
    const isSilent = reading.at + silentAfterSeconds(readings, place) * 1000 < noticedUntil;
    if (!isSilent && next !== undefined) continue;
    const judged = judge({ ...always, ...memory, known, isSilent, readings: readings.slice(place) });
    events.push(...judged.events);
    memory = { low: judged.low, silenceReported: judged.silenceReported };
    known = reading;
  }
  return { events, ...memory };
}
