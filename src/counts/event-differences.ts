// Compares the counts of events with the events themselves. The SQL counts.ts runs beside its own.

const ACTUAL = `
  select type, (created_at at time zone 'UTC')::date as day, count(*) as n from events group by 1, 2`;

export const EVENT_DIFFERENCES = `
  select 'events of type ' || type as list, day, coalesce(noted.n, 0)::text as counted, coalesce(actual.n, 0)::text as actual
  from event_counts noted full join (${ACTUAL}) actual using (type, day)
  where coalesce(noted.n, 0) <> coalesce(actual.n, 0)`;

export const CORRECT_EVENT_COUNTS = `
  delete from event_counts;
  insert into event_counts ${ACTUAL}`;
