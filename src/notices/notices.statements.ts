// The SQL behind notices; notice-worker.ts says when each is run. Whoever plans holds one lock, so that nobody tells, claims or seals beside it.
import { TOLD_TYPES } from './mail-words.js';
import { LOCKS } from '../platform/schema/locks.js';

/** Null before anybody has planned. */
export const IS_HERE = 'select coalesce(made_in = database_identity(), true) as "isHere" from notice_state';

export const LOCK_PLAN = `
  select pg_try_advisory_xact_lock(${LOCKS.NOTICES}) as "isMine", here.* from (${IS_HERE}) here`;

export const SEND_FROM_HERE = 'update notice_state set made_in = database_identity() where made_in is null';

export const LOOKED_AT_ONCE = 5_000;
/** Events, and tanks of a daily mail. */
export const MOST_LINES = 50;

const IS_COLLECTING = `kind = 'events' and status = 'pending' and attempts = 0`;
const IS_NEWS = `event.created_at > now() - interval '24 hours'`;

/**
 * Takes what is new in the feed of changes, which has events in the order in which they were committed, and opens a notice for each recipient
 * that is to be told and has none open. Returns how many were looked at, and the notices that have grown and whose lines are not all known.
 */
export const TELL = `
  with next as materialized (
    select feed.position, feed.kind, feed.id
    from change_feed feed join notice_state state on feed.position > state.position
    where feed.kind <> 'r' order by feed.position limit ${LOOKED_AT_ONCE}
  ), moved as (
    update notice_state set position = (select max(position) from next) where exists (select from next)
  ), news as materialized (
    select next.position, event.type, event.owner_id, event.created_at
    from next join events event on event.id = next.id where next.kind = 'e' and ${IS_NEWS}
  ), told as (
    select recipient.id, news.position, news.created_at
    from news join recipients recipient on recipient.owner_id = news.owner_id
    where news.type = any (recipient.events) and news.created_at >= recipient.active_since
    union all
    select recipient.id, news.position, news.created_at
    from news join recipients recipient on recipient.owner_id is null
    where news.type = any (recipient.events) and news.created_at >= recipient.active_since
  ), first as (
    select id, min(position) as position, min(created_at) as at from told group by id
  ), opened as (
    insert into notices (recipient_id, kind, subject, after_position, next_attempt_at)
    select first.id, 'events', '', first.position - 1,
           greatest(first.at + interval '60 seconds', recipient.events_sent_at + interval '5 minutes')
    from first join recipients recipient using (id)
    where not exists (select from notices notice where notice.recipient_id = first.id and ${IS_COLLECTING})
    returning id
  )
  select (select count(*) from next)::integer as looked,
         array(
           select id from opened
           union all
           select notice.id from first join notices notice on notice.recipient_id = first.id
           where ${IS_COLLECTING} and event_count < ${MOST_LINES}) as grown`;

const COUNTS = TOLD_TYPES.map(
  (type) => `count(distinct event.tank_id) filter (where event.type = '${type}')`,
).join(', ');

/** What notices of events hold now: their number, the first ids, and the tanks by type; of a single event what its subject says. */
export const CONTENTS = `
  select notice.id, recipient.language, content.total, content.ids, to_json(content.counts) as counts,
         single.type, single.data #>> '{tank,name}' as name, (single.data #>> '{reading,fill_percentage}')::float8 as level
  from notices notice join recipients recipient on recipient.id = notice.recipient_id
  cross join lateral (
    select count(*)::integer as total, (array_agg(event.id order by event.created_at, event.id))[1:${MOST_LINES}] as ids, array[${COUNTS}] as counts
    from change_feed feed join events event on event.id = feed.id
    where feed.position > notice.after_position and feed.position <= (select position from notice_state)
      and feed.kind = 'e' and feed.kind <> 'r' and (recipient.owner_id is null or feed.owner_id = recipient.owner_id)
      and event.type = any (recipient.events) and event.created_at >= recipient.active_since and ${IS_NEWS}
  ) content
  left join events single on content.total = 1 and single.id = content.ids[1]
  where notice.id = any ($1) and notice.kind = 'events'`;

export const DESCRIBE = `
  update notices notice set subject = given.subject, event_count = given.total,
         event_ids = array(select json_array_elements_text(given.ids::json))
  from unnest($1::text[], $2::text[], $3::integer[], $4::text[]) given (id, subject, total, ids)
  where notice.id = given.id`;

/** Low, or perhaps so within 7 days, with room for a delivery. $1: the last hour of these days; $2: up to what level tanks are filled. */
export const IS_DUE = `(state.fill_percentage < $2::integer and (state.low or coalesce(state.alert_hours[1] <= $1::integer, false)))`;
/** Of the tanks that are due, the subject counts those that are low or may be empty by then. */
export const IS_URGENT = `(state.low or coalesce(state.forecast_made_at is not null and state.empty_hours[1] <= $1::integer, false))`;
export const IS_SILENT = 'coalesce(state.silent_at < now(), false)';

/** Whose daily mail is due, and whether there is anything to say. */
export const DAILY_DUE = `
  select recipient.id, recipient.language, recipient.daily_at, recipient.time_zone, recipient.daily_day, recipient.next_daily_at as due,
         now() - recipient.next_daily_at <= interval '12 hours' as "isInTime", now() as now,
         exists (
           select from tank_states state
           where state.fleet_group is not null and (recipient.owner_id is null or state.owner_id = recipient.owner_id)
             and (${IS_DUE} or ${IS_SILENT})) as "hasNews"
  from recipients recipient left join customers customer on customer.id = recipient.owner_id
  where recipient.next_daily_at <= now() and customer.deleted is not true
  order by recipient.next_daily_at limit 200`;

export const NEXT_DAILY =
  'update recipients set next_daily_at = $2, daily_day = coalesce($3, daily_day) where id = $1 and next_daily_at = $4';

export const OPEN_DAILY = `
  insert into notices (recipient_id, kind, subject, next_attempt_at, expires_at)
  values ($1, 'daily', $2, now(), $3::timestamptz + interval '12 hours')`;

/** What has waited for too long: 24 hours from the first attempt, a daily mail 12 from its time. */
export const EXPIRE = `
  update notices set status = 'failed', next_attempt_at = null, claimed_by = null, reply = coalesce(reply, 'it was too late')
  where status = 'pending' and expires_at <= now() and (claimed_by is null or next_attempt_at <= now())
  returning kind`;

/** Within 2 minutes, also after a crash. */
const CLAIM_ENDS = `next_attempt_at = clock_timestamp() + interval '100 seconds'`;

/**
 * Of each recipient the next one, if it is due: one that was tried holds up those behind it. What was tried before gets half of the places, so
 * that those who answer late hold up nobody else.
 */
export const CLAIM = `
  with next as (
    select distinct on (recipient_id) id, recipient_id, attempts, next_attempt_at
    from notices where status = 'pending' order by recipient_id, attempts > 0 desc, next_attempt_at, id
  ), due as (
    select next.id, next.attempts > 0 as is_retry,
           row_number() over (partition by next.attempts > 0 order by next.next_attempt_at, next.id) as place
    from next join recipients recipient on recipient.id = next.recipient_id
    left join customers customer on customer.id = recipient.owner_id
    where next.next_attempt_at <= now() and customer.deleted is not true
  )
  update notices set attempts = attempts + 1, last_attempt_at = clock_timestamp(), ${CLAIM_ENDS},
         claimed_by = $2, expires_at = coalesce(expires_at, now() + interval '24 hours'), waits_for_server = false
  where id = any (array(
    select id from due where place <= case when is_retry then ceil($1 / 2.0) else $1 end order by is_retry, place limit $1))
  returning id, attempts`;

export const CLAIMED = `
  select notice.id, notice.claimed_by as claim, notice.kind, notice.subject, notice.event_ids, notice.event_count, notice.attempts,
         recipient.id as recipient_id, recipient.email, recipient.language, recipient.time_zone, recipient.owner_id, recipient.link_number,
         recipient.active_since is not null as is_active, customer.name as customer,
         recipient.confirmed_at is not null and recipient.unsubscribed_at is null and recipient.failing_reason is null as is_confirmed
  from notices notice join recipients recipient on recipient.id = notice.recipient_id
  left join customers customer on customer.id = recipient.owner_id
  where notice.id = any ($1)`;

/** Right before it is sent: a claim outlasts a mail. Returns nothing when the claim is over, or the notice was cancelled. */
export const RENEW = `
  update notices set ${CLAIM_ENDS}
  where id = $1 and claimed_by = $2 and status = 'pending' and next_attempt_at > clock_timestamp()
  returning id`;

/** Returns nothing when it was claimed again meanwhile. What was cancelled meanwhile and is sent all the same, is sent. */
export const RECORD = `
  update notices set status = $3, reply = $4, subject = coalesce($5, subject), waits_for_server = $6, claimed_by = null,
         sent_at = case when $3 = 'sent' then clock_timestamp() end,
         next_attempt_at = case when $3 = 'pending' then clock_timestamp() + $7 * interval '1 millisecond' end
  where id = $1 and claimed_by = $2 and (status = 'pending' or $3 = 'sent')
  returning recipient_id as "recipientId"`;

/** There is no server: nobody has tried. */
export const MARK_OFF = `
  with off as (
    update notices set status = 'off', attempts = 0, last_attempt_at = null, next_attempt_at = null, claimed_by = null
    where id = any ($1) returning recipient_id, kind
  )
  update recipients set events_sent_at = now() where id in (select recipient_id from off where kind = 'events')`;

/** The next mail of events goes 5 minutes later at the earliest. $2: whether this was one. */
export const NOTE_SENT = `
  with sent as (
    update recipients set last_sent_at = clock_timestamp(), failures = 0,
           events_sent_at = case when $2 then clock_timestamp() else events_sent_at end
    where id = $1
  )
  update notices set next_attempt_at = greatest(next_attempt_at, clock_timestamp() + interval '5 minutes')
  where $2 and recipient_id = $1 and ${IS_COLLECTING}`;

/** The third refusal in a row ends it, until a new confirmation. */
export const NOTE_REFUSED = `
  with refused as (
    update recipients set failures = failures + 1,
           failing_reason = case when failures >= 2 then $2 else failing_reason end,
           link_number = link_number + (failures = 2)::integer,
           active_since = case when failures >= 2 then null else active_since end,
           next_daily_at = case when failures >= 2 then null else next_daily_at end,
           updated_at = case when failures >= 2 then greatest(clock_timestamp(), updated_at + interval '1 millisecond') else updated_at end
    where id = $1 and unsubscribed_at is null returning failures
  )
  update notices set status = 'failed', next_attempt_at = null, reply = 'the recipient is failing'
  where recipient_id = $1 and status = 'pending' and exists (select from refused where failures >= 3)`;

export const SERVER_FAILS =
  'update notice_state set server_failing_since = clock_timestamp() where server_failing_since is null';

/** What waits for the server is due, once until it has had another turn of its own. */
export const SERVER_WORKS = `
  with works as (
    update notice_state set server_failing_since = null where server_failing_since is not null
  )
  update notices set next_attempt_at = clock_timestamp(), woken_at = attempts
  where status = 'pending' and waits_for_server and claimed_by is null and (woken_at is null or attempts > woken_at + 1)`;

export const FORGET = [
  `delete from notices where id = any (array(select id from notices where created_at < now() - interval '90 days' limit 5000))`,
  `delete from address_history where what in ('asked', 'tested') and at < now() - interval '24 hours'`,
];
