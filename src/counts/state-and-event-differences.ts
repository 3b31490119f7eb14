// The SQL that compares the tanks' states with their readings, the counts of the fleet with the states, and those of events with events.

const moment = (column: string): string => `to_char(${column}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

const READINGS_STATE = ['reported_at', 'fill_percentage', 'low', 'silent_after_seconds', 'silent_at'];
const TANKS_STATE = ['tank_id', 'owner_id', 'use_case', 'created_at', 'deleted', 'min_fill_alert_percentage'];

const columns = (table: string, names: readonly string[]): string =>
  names.map((name) => `${table}.${name}`).join(', ');

const described = (row: string, isThere: string): string => `
  case when ${isThere} then concat_ws(', ',
    coalesce(${row}.fill_percentage || ' % at ' || ${moment(`${row}.reported_at`)}, 'no reading'),
    case when ${row}.low then 'low' end, 'silent after ' || ${row}.silent_after_seconds || ' s')
  else 'none' end`;

const TANK_IS_OUTDATED = `
  (${columns('state', TANKS_STATE)}) is distinct from (${columns('known', TANKS_STATE)})`;

/** "silent" is set some time after it has become true, so a tank where it is not set yet is no difference. */
export const STATE_DIFFERENCES = `
  select coalesce(known.tank_key, state.tank_key) as tank_key, 'state of ' || coalesce(known.tank_id, state.tank_id) as list,
         ${described('state', 'state.tank_key is not null')}
         || case when state.tank_key is not null and ${TANK_IS_OUTDATED} then ', of an outdated tank' else '' end
         || case when state.silent then ', silent' else '' end as counted,
         ${described('known', 'known.tank_key is not null')} as actual
  from states_of_tanks(array(select key from tanks order by key)) known
  full join tank_states state on state.tank_key = known.tank_key
  where known.tank_key is null or state.tank_key is null or ${TANK_IS_OUTDATED}
     or (${columns('state', READINGS_STATE)}) is distinct from (${columns('known', READINGS_STATE)})
     or (state.silent and (state.silent_at < now()) is not true)`;

const FLEET_COUNTS = `
  select fleet_group, sum(n) as n from (
    select fleet_group, n from fleet_counts union all select fleet_group, n from fleet_count_changes) counted
  group by fleet_group`;
const ACTUAL_FLEET_COUNTS = `
  select fleet_group, count(*) as n from tank_states where fleet_group is not null group by fleet_group`;

export const FLEET_DIFFERENCES = `
  select 'fleet group ' || fleet_group as list, coalesce(counted.n, 0)::text as counted, coalesce(actual.n, 0)::text as actual
  from (${FLEET_COUNTS}) counted full join (${ACTUAL_FLEET_COUNTS}) actual using (fleet_group)
  where coalesce(counted.n, 0) <> coalesce(actual.n, 0)`;

/** Of the tanks in "state_differences". What was written past the triggers is judged as if it came now. */
export const CORRECT_STATES = `
  delete from tank_states where tank_key in (select tank_key from state_differences)
    and not exists (select from tanks where tanks.key = tank_states.tank_key);
  insert into tank_states (tank_key, tank_id, owner_id, use_case, created_at, deleted, min_fill_alert_percentage)
  select key, id, owner_id, use_case, created_at, deleted, min_fill_alert_percentage from tanks
  where key in (select tank_key from state_differences)
  order by key on conflict (tank_key) do nothing;
  select keep_tank_states(array(select tank_key from state_differences))`;

export const CORRECT_FLEET_COUNTS = `
  delete from fleet_count_changes;
  delete from fleet_counts;
  insert into fleet_counts ${ACTUAL_FLEET_COUNTS}`;

const ACTUAL_EVENT_COUNTS = `
  select type, (created_at at time zone 'UTC')::date as day, count(*) as n from events group by 1, 2`;

export const EVENT_DIFFERENCES = `
  select 'events of type ' || type as list, day, coalesce(counted.n, 0)::text as counted, coalesce(actual.n, 0)::text as actual
  from event_counts counted full join (${ACTUAL_EVENT_COUNTS}) actual using (type, day)
  where coalesce(counted.n, 0) <> coalesce(actual.n, 0)`;

export const CORRECT_EVENT_COUNTS = `
  delete from event_counts;
  insert into event_counts ${ACTUAL_EVENT_COUNTS}`;
