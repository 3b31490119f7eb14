// What happened to the demo's tanks before its first start. Each past reading is judged by the rule for all events as if it had
// just come in, and the event is given that time. Only the demo does so: elsewhere, readings this old cause no event.
import type { ClientBase } from 'pg';
import { judge, type JudgedEvent, type Judgement } from '../alerts/judge.js';
import { recordJudgements } from '../alerts/judging.js';
import { NUMBERS, silentAfterSeconds, type Reading } from '../rules.js';
import type { DemoTank } from './demo-fleet.js';
import { findLastMoment, pastReadings } from './demo-readings.js';

/** How many readings judging one of them needs at most. */
const NEEDED_READINGS = NUMBERS.SILENT_AFTER_READINGS + 1;
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
  fleet: readonly DemoTank[],
  end: number,
): Promise<void> {
  const { rows } = await client.query<{ id: string; key: string }>('select id, key from tanks');
  const keys = new Map(rows.map(({ id, key }) => [id, key]));
  await recordJudgements(
    client,
    fleet.map((tank) => ({ key: keys.get(tank.id) ?? '', ...judgePast(tank, end) })),
  );
  await client.query(GIVE_TIMES);
}

function judgePast(tank: DemoTank, end: number): Judgement {
  const threshold = tank.min_fill_alert_percentage;
  const readings = [...pastReadings(tank, end)].map(({ created_at, fill_percentage }): Reading => ({
    at: Date.parse(created_at),
    fill: fill_percentage,
  }));
  const events: JudgedEvent[] = [];
  let memory = { low: false, silenceReported: false };
  const judgeAt = (at: number, place: number, known: Reading | undefined, isSilent: boolean): void => {
    const judged = judge({
      threshold,
      knownThreshold: threshold,
      known,
      wasSilent: false,
      wasRestored: false,
      writes: [{ at, reached: readings[place]?.at }],
      isSilent,
      readings: readings.slice(place, place + NEEDED_READINGS),
      ...memory,
    });
    events.push(...judged.events);
    memory = { low: judged.low, silenceReported: judged.silenceReported };
  };
  for (const [place, reading] of [...readings.entries()].toReversed()) {
    judgeAt(reading.at, place, readings[place + 1], false);
    const silentAt = reading.at + silentAfterSeconds(readings, place) * 1000;
    const next = readings[place - 1];
    const noticedUntil = next === undefined ? findLastMoment(tank, end) : next.at - NOTICED_AFTER_MS;
    if (silentAt < noticedUntil) judgeAt(silentAt, place, reading, true);
  }
  return { events, ...memory };
}
