// The statements behind the fleet: one a request, built from the kind of filter and the order. The page's keys are found first, from an
// index where there is one in that order; tanks and owners are joined to that page only.
import { hasAnyWord, hasWords } from '../common/search.js';
import type { Statement } from '../platform/database/reads.js';
import { NUMBERS } from '../rules.js';
import { ALL_GROUPS, STEP_TO_SILENT } from './fleet-groups.js';

export const FLEET_SORTS = ['fill_percentage', 'reported_at', 'created_at', 'alert_at', 'empty_at'] as const;
export type FleetSort = (typeof FLEET_SORTS)[number];

/** As the indexes on tank_states have it. */
const ORDER: Record<FleetSort, string> = {
  fill_percentage: 'fill_percentage nulls last, tank_id',
  reported_at: 'reported_at nulls first, tank_id',
  created_at: 'created_at desc, tank_id',
  alert_at: 'alert_order, tank_id',
  empty_at: 'empty_order, tank_id',
};

const columnOf = (sort: FleetSort): string => ORDER[sort].split(' ', 1)[0]?.replace(',', '') ?? sort;

const ITEM = `
  tank.id, tank.name, tank.custom_id, tank.assigned_device_id, tank.owner_id, tank.use_case, tank.capacity,
  tank.capacity_unit, tank.min_fill_alert_percentage, tank.city, tank.country, tank.district, tank.latitude,
  tank.longitude, tank.postal_code, tank.region, tank.street, tank.street_number, owner.name as owner_name,
  state.reported_at, state.fill_percentage, state.low, state.silent_after_seconds,
  coalesce(state.silent_at < now(), false) as silent, state.forecast_made_at, known.percent_per_day,
  to_json(state.alert_hours) as alert_hours, to_json(known.empty_hours) as empty_hours`;

const TANKS_AND_OWNERS = `
  tanks tank join tank_states state on state.tank_key = tank.key
  left join tank_forecasts known on known.tank_key = state.tank_key
  left join customers owner on owner.id = tank.owner_id and not owner.deleted`;

/** "offset 0" keeps the joins of a page from being planned for the whole fleet. */
const itemsOf = (page: string, total: string, sort: FleetSort): string => `
  select counted.total, item.*
  from (${total}) counted
  left join (${page}) page on true
  left join lateral (select ${ITEM} from ${TANKS_AND_OWNERS} where tank.id = page.tank_id offset 0) item on true
  order by page.${ORDER[sort].replace('tank_id', 'page.tank_id')}`;

/** Tanks whose silence is not marked yet, and tanks that were marked by a clock ahead of now. */
const LATE = 'fleet_group is not null and not silent and silent_at < now()';
const EARLY = 'fleet_group is not null and silent and silent_at >= now()';

const KEPT_COUNTS = `
  select fleet_group, n from fleet_counts union all select fleet_group, n from fleet_count_changes`;

/** How many tanks each group has right now: the kept counts, and the tanks that are in another group by now. */
const COUNTS_NOW = `
  ${KEPT_COUNTS}
  union all
  select fleet_group + step, n from tank_states cross join (values (0, -1), (${STEP_TO_SILENT}, 1)) moved (step, n)
  where ${LATE}
  union all
  select fleet_group - step, n from tank_states cross join (values (0, -1), (${STEP_TO_SILENT}, 1)) moved (step, n)
  where ${EARLY}`;

/** Which rows of the groups stay, and which of other groups are added, when silence is a filter. */
function exactly(silent: boolean | undefined): { kept: string; added: string | undefined } {
  if (silent === undefined) return { kept: 'true', added: undefined };
  return silent
    ? {
        kept: 'silent_at < now()',
        added: `${LATE} and fleet_group + ${STEP_TO_SILENT} = any ($1::smallint[])`,
      }
    : {
        kept: '(silent_at < now()) is not true',
        added: `${EARLY} and fleet_group - ${STEP_TO_SILENT} = any ($1::smallint[])`,
      };
}

/** Of the whole fleet. $1: the groups; $2, $3: how many rows to pass over and to give. */
export function pageOfGroups(sort: FleetSort, silent: boolean | undefined): Statement {
  const suffix = silent === undefined ? '' : silent ? '_silent' : '_not_silent';
  const { kept, added } = exactly(silent);
  const rows = (condition: string) =>
    `(select ${columnOf(sort)}, tank_id from tank_states where ${condition} order by ${ORDER[sort]} limit $2::bigint + $3)`;
  // Each group comes in order from the index, and they are merged; those not asked for are never started.
  const groups = ALL_GROUPS.map((group) =>
    rows(`fleet_group = ${group} and ${group} = any ($1::smallint[]) and ${kept}`),
  );
  const merged = [...groups, ...(added === undefined ? [] : [rows(added)])].join('\n union all ');
  const counts = silent === undefined ? KEPT_COUNTS : COUNTS_NOW;
  const text = itemsOf(
    `select * from (${merged}) merged order by ${ORDER[sort]} offset $2 limit $3`,
    `select coalesce(sum(n), 0)::bigint as total from (${counts}) counts where fleet_group = any ($1::smallint[])`,
    sort,
  );
  return { name: `fleet_page_by_${sort}${suffix}`, text };
}

/** So many are sorted; more lie close together in any order. */
const FEW = 1_000;
const isLowGroup = (group: number): boolean => group % 5 === 2 || group % 5 === 4;

/** Of whole use cases, the tanks that are low or may be soon. $1: the groups; $2, $3: as above; $4: the last hour of an alert. */
export function pageOfAlerts(sort: FleetSort): Statement {
  const rows = (condition: string, order: string, limit: string) =>
    `(select ${columnOf(sort)}, tank_id from tank_states where ${condition} order by ${order} limit ${limit})`;
  const merged = ALL_GROUPS.flatMap((group) => {
    const inGroup = `fleet_group = ${group} and ${group} = any ($1::smallint[])`;
    if (isLowGroup(group)) return [rows(inGroup, ORDER[sort], '$2::bigint + $3')];
    const inTime = `${inGroup} and alert_hours is not null and alert_hours[1] <= $4::integer`;
    return [
      rows(`${inTime} and (select total from counted) <= ${FEW}`, 'fleet_group, alert_hours[1]', String(FEW)),
      rows(`${inTime} and (select total from counted) > ${FEW}`, ORDER[sort], '$2::bigint + $3'),
    ];
  }).join('\n union all ');
  const text = `
    with counted as materialized (
      select (low.n + soon.n)::bigint as total
      from (select coalesce(sum(n), 0) as n from (${KEPT_COUNTS}) counts
            where fleet_group = any ($1::smallint[]) and fleet_group % 5 in (2, 4)) low,
           (select coalesce(sum(n), 0) as n from (
              select use_case, hour, n from alert_counts union all select use_case, hour, n from alert_count_changes) counts
            where hour <= $4::integer and (use_case * 5)::smallint = any ($1::smallint[])) soon
    )
    ${itemsOf(
      `select * from (${merged}) merged order by ${ORDER[sort]} offset $2 limit $3`,
      'select total from counted',
      sort,
    )}`;
  return { name: `fleet_page_of_alerts_by_${sort}`, text };
}

/** The owners that have any of the words, mostly few, are found first: then each tank is looked at once. `words`, `owner`: parameters. */
export const tanksWithWords = (words: string, owner: string | null): string => `
  owners_with_words as materialized (
    select id, search_text from customers
    where not deleted ${owner === null ? '' : `and id = ${owner}`} and ${hasAnyWord(words, 'search_text')}
  ), tanks_with_words as materialized (
    select tank.key from tanks tank left join owners_with_words owner on owner.id = tank.owner_id
    where not tank.deleted ${owner === null ? '' : `and tank.owner_id = ${owner}`}
      and ${hasWords(words, 'tank.search_text', 'owner.search_text')}
  ),`;

export const HAS_WORDS = 'tank_key = any (array(select key from tanks_with_words))';

/**
 * The sensors with a low battery, and those with a weak signal. If they are asked about, they are found
 * first: a list of a million would be gone through for each tank. `battery`, `signal`, `owner`: parameters.
 */
const sensorsInNeed = (battery: string, signal: string, owner: string | null): string => {
  const keys = `select sensor.tank_key from tank_sensors sensor ${
    owner === null
      ? ''
      : `join tank_states of_owner on of_owner.tank_key = sensor.tank_key and owner_id = ${owner}`
  }`;
  return `
  low_batteries as materialized (
    ${keys} where ${battery}::boolean is not null and battery_percent < ${NUMBERS.LOW_BATTERY}
  ), weak_signals as materialized (
    ${keys} where ${signal}::boolean is not null
      and (rssi_dbm < ${NUMBERS.WEAK_RSSI} or snr_db < ${NUMBERS.WEAK_SNR})
  ),`;
};

/** Each set is hashed, whatever the planner thinks of its size: a join of tables without statistics would go through it for each tank. */
const needsAre = (battery: string, signal: string): string[] => [
  `(${battery}::boolean is null or ${battery} = (tank_key in (select tank_key from low_batteries)))`,
  `(${signal}::boolean is null or ${signal} = (tank_key in (select tank_key from weak_signals)))`,
];

/**
 * Of one owner, with words, or by their sensors: found, counted and sorted. $4: silent; $5: the owner; $6: the words; $7: the last hour of
 * an alert; $8: low battery; $9: weak signal.
 */
export function pageOfFound(sort: FleetSort, byOwner: boolean, byText: boolean): Statement {
  const name = `fleet_page_of_found_by_${sort}${byOwner ? '_of_owner' : ''}${byText ? '_with_text' : ''}`;
  const conditions = [
    'fleet_group = any ($1::smallint[])',
    '($4::boolean is null or coalesce(silent_at < now(), false) = $4)',
    byOwner ? 'owner_id = $5' : '$5::text is null',
    byText ? HAS_WORDS : '$6::text is null',
    '($7::integer is null or low or alert_hours[1] <= $7)',
    ...needsAre('$8', '$9'),
  ];
  const owner = byOwner ? '$5' : null;
  const text = `
    with ${byText ? tanksWithWords('$6', owner) : ''} ${sensorsInNeed('$8', '$9', owner)} found as materialized (
      select ${columnOf(sort)}, tank_id from tank_states where ${conditions.join(' and ')}
    )
    ${itemsOf(
      `select * from found order by ${ORDER[sort]} offset $2 limit $3`,
      'select count(*) as total from found',
      sort,
    )}`;
  return { name, text };
}

/** One tank, with its falls for the consumption: $1 its id, $2 the customer the key is bound to. */
export const FIND_ONE: Statement = {
  name: 'fleet_tank_by_id',
  text: `
    select ${ITEM}, falls.used, falls.covered_ms, falls.since
    from ${TANKS_AND_OWNERS}
    left join lateral falls_of_tank(state.tank_key, state.reported_at, state.silent_after_seconds) falls on true
    where tank.id = $1 and not tank.deleted and ($2::text is null or tank.owner_id = $2)`,
};

const STANDINGS_OF_COUNTS = `
  date_trunc('milliseconds', now()) as as_of,
  coalesce(sum(n), 0)::bigint as tanks,
  coalesce(sum(n) filter (where fleet_group % 5 > 0), 0)::bigint as reported,
  coalesce(sum(n) filter (where fleet_group % 5 in (2, 4)), 0)::bigint as low,
  coalesce(sum(n) filter (where fleet_group % 5 in (3, 4)), 0)::bigint as silent,
  coalesce(sum(n) filter (where fleet_group % 5 = 4), 0)::bigint as low_and_silent`;

/** $1: the groups. */
export const SUMMARY: Statement = {
  name: 'fleet_summary',
  text: `select ${STANDINGS_OF_COUNTS} from (${COUNTS_NOW}) counts where fleet_group = any ($1::smallint[])`,
};

/** Of one owner, with words, or by their sensors. $1: the groups; $2: the owner; $3: the words; $4: low battery; $5: weak signal. */
export function summaryOfFound(byOwner: boolean, byText: boolean): Statement {
  const conditions = [
    'fleet_group = any ($1::smallint[])',
    byOwner ? 'owner_id = $2' : '$2::text is null',
    byText ? HAS_WORDS : '$3::text is null',
    ...needsAre('$4', '$5'),
  ];
  const owner = byOwner ? '$2' : null;
  return {
    name: `fleet_summary${byOwner ? '_of_owner' : ''}${byText ? '_with_text' : ''}`,
    text: `
      with ${byText ? tanksWithWords('$3', owner) : ''} ${sensorsInNeed('$4', '$5', owner)} found as (
        select fleet_group - case when silent then ${STEP_TO_SILENT} else 0 end
                           + case when silent_at < now() then ${STEP_TO_SILENT} else 0 end as fleet_group, 1 as n
        from tank_states where ${conditions.join(' and ')}
      )
      select ${STANDINGS_OF_COUNTS} from found`,
  };
}
