// The SQL behind deliveries; delivery-queue.ts says when each is run.
import { TRIES_IN_ORDER } from './delivery-policy.js';
import { LOCKS, takeLock } from '../platform/schema/locks.js';

export const OPEN_ENDPOINTS = `
  select id, customer_id as "customerId", url, secret, case when previous_secret_until > now() then previous_secret end as previous,
         failing_since is not null as "isFailing", made_in <> database_identity() as "isRestored"
  from webhook_endpoints where disabled_at is null`;

/**
 * What is new is put in its line, a hundred of an endpoint at a time, by one worker at a time: of two, the later part could be sent first.
 * A claimed line is looked at when it is released.
 */
export const LINE_UP = `
  with new as (
    update webhook_deliveries set is_in_line = true
    where id = any (array(
      select new.id
      from unnest($1::text[]) endpoint (id)
      cross join lateral (
        select id from webhook_deliveries
        where endpoint_id = endpoint.id and status = 'pending' and not is_in_line
        order by id + 0 limit 100 for update skip locked
      ) new
      where (select pg_try_advisory_xact_lock(${LOCKS.LINES}))))
    returning line, endpoint_id
  )
  insert into webhook_lines (line, endpoint_id, due_at)
  select distinct line, endpoint_id, now() from new order by line
  on conflict (line) do update set due_at = least(webhook_lines.due_at, excluded.due_at)
  where webhook_lines.claimed_by is null`;

export const DUE = `
  select endpoint.id as "endpointId", count(*)::integer as lines, min(due.due_at) as since
  from unnest($1::text[], $2::integer[]) endpoint (id, slots)
  cross join lateral (
    select due_at from webhook_lines where endpoint_id = endpoint.id and due_at <= now() order by due_at limit slots
  ) due
  group by endpoint.id`;

/** A claim is valid for longer than a try may take, and after a crash over within a minute. */
export const CLAIM = `
  update webhook_lines set claimed_by = $3, due_at = now() + interval '40 seconds'
  where line = any (array(
    select due.line
    from unnest($1::text[], $2::integer[]) endpoint (id, slots)
    cross join lateral (
      select line from webhook_lines where endpoint_id = endpoint.id and due_at <= now()
      order by due_at limit slots for update skip locked
    ) due))
  returning line`;

/** Of each line the oldest that others wait behind, and the first due of those that nobody waits behind. */
export const WAITING = `
  select asked.line, waiting.id::float8 as id, waiting.next_try_at as "nextTryAt", waiting.next_try_at <= now() as "isDue"
  from unnest($1::text[]) asked (line)
  cross join lateral (
    (select id, next_try_at from webhook_deliveries delivery
     where delivery.line = asked.line and status = 'pending' and is_in_line and tries < ${TRIES_IN_ORDER}
     order by id + 0 limit 1)
    union all
    (select id, next_try_at from webhook_deliveries delivery
     where delivery.line = asked.line and status = 'pending' and is_in_line and tries >= ${TRIES_IN_ORDER}
     order by next_try_at, id limit 1)
  ) waiting`;

export const RELEASE = `
  with released as (
    select * from unnest($1::text[], $2::timestamptz[]) released (line, due_at)
  ), removed as (
    delete from webhook_lines line using released where line.line = released.line and released.due_at is null
  )
  update webhook_lines line set claimed_by = null, due_at = released.due_at
  from released where line.line = released.line and released.due_at is not null`;

export const START = `
  with started as (
    update webhook_deliveries set tries = tries + 1, last_tried_at = now() where id = any ($1)
    returning id, endpoint_id, line, tries, event_id
  )
  select started.id::float8 as "deliveryId", endpoint_id as "endpointId", line, tries, caused_by as "causedBy",
         event.id, type, created_at::text as created_at, tank_id, owner_id, data
  from started
  cross join lateral (select * from events where events.id = started.event_id offset 0) event
  order by started.id`;

/** Returns what is one's own: a line that another has claimed meanwhile is left to it. */
export const RECORD = `
  with answer as (
    select * from unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::float8[], $6::integer[], $7::text[], $8::float8[])
      answer (id, line, claim, status, delay, http_status, reason, asked)
  ), held as (
    select line, claimed_by as claim from webhook_lines where line = any ($2) order by line for update
  ), recorded as (
    update webhook_deliveries delivery
    set status = answer.status, next_try_at = now() + answer.delay * interval '1 millisecond',
        retry_after = now() + nullif(answer.asked, 0) * interval '1 millisecond',
        last_status = answer.http_status, last_reason = answer.reason
    from answer join held using (line, claim)
    where delivery.id = any ($1) and delivery.id = answer.id
  )
  select answer.id::float8 as id from answer join held using (line, claim)`;

/** Locked in one order, so that two workers never wait for each other. */
export const RECORD_ENDPOINTS = `
  with result as (
    select * from unnest($1::text[], $2::boolean[]) result (id, delivered)
  ), changed as (
    select endpoint.id, delivered from webhook_endpoints endpoint join result using (id)
    where disabled_at is null and (not delivered or failing_since is not null)
    order by endpoint.id for no key update of endpoint
  )
  update webhook_endpoints endpoint set failing_since = case when not delivered then coalesce(failing_since, now()) end
  from changed where endpoint.id = changed.id
  returning endpoint.id, (extract(epoch from now() - failing_since) * 1000)::float8 as "failingMs"`;

export const DISABLE =
  'update webhook_endpoints set disabled_at = now(), disabled_reason = $2, updated_at = greatest(now(), updated_at) where id = $1';

export const WOKEN_AT_ONCE = 1_000;

/**
 * What waits for a retry to these endpoints is due at once, or when its receiver has asked for it; each once. Lines are locked first, as
 * whoever records does it. Returns how many there were; with as many as there may be, there are perhaps more.
 */
export const WAKE = `
  with waiting as (
    select id, line from webhook_deliveries
    where endpoint_id = any ($1::text[]) and status = 'pending' and tries > 0 and not is_woken and is_in_line and next_try_at > now()
    limit ${WOKEN_AT_ONCE}
  ), held as (
    select line from webhook_lines where line = any (array(select line from waiting)) order by line for update
  ), woken as (
    update webhook_deliveries delivery set is_woken = true, next_try_at = least(next_try_at, greatest(retry_after, now()))
    where id = any (array(select waiting.id from waiting join held using (line))) and status = 'pending' and next_try_at > now()
    returning line, next_try_at
  ), due as (
    update webhook_lines line set due_at = least(due_at, woken.at)
    from (select line, min(next_try_at) as at from woken group by line) woken
    where line.line = woken.line and claimed_by is null
  )
  select count(*)::integer as n from waiting`;

/** One replay of an endpoint at a time: two would queue an event twice. */
export const LOCK_REPLAY = takeLock('REPLAY');

export const REPLAYED_AT_ONCE = 10_000;

const IS_REPLAYED = `
  (created_at, id) > ($2::timestamptz, $3) and created_at >= endpoint.created_at and created_at <= coalesce($4::timestamptz, now())
  and (endpoint.types is null or type = any (endpoint.types))`;

/**
 * Of the next kept events that the endpoint would get now, after the instant and id of $2 and $3, until $4 or now: all except what is pending. A
 * delivery that is there starts over. Returns the place of the last one if more may follow. Instants are as PostgreSQL reads them.
 */
export const REPLAY = `
  with next as (
    select event.id, event.tank_id, event.created_at
    from webhook_endpoints endpoint
    cross join lateral (
      -- Apart, so that those of one customer come from their own index.
      (select * from events where endpoint.customer_id is null and ${IS_REPLAYED} order by created_at, id limit ${REPLAYED_AT_ONCE})
      union all
      (select * from events where owner_id = endpoint.customer_id and ${IS_REPLAYED} order by created_at, id limit ${REPLAYED_AT_ONCE})
    ) event
    where endpoint.id = $1
  ), wanted as (
    select next.*, known.delivery_id from next
    cross join lateral (
      select max(id) as delivery_id, coalesce(bool_or(status = 'pending'), false) as is_pending
      from (select * from webhook_deliveries where event_id = next.id offset 0) of_event -- few: an endpoint may have millions
      where endpoint_id = $1
    ) known
    where not known.is_pending
  ), again as (
    update webhook_deliveries delivery
    set status = 'pending', tries = 0, next_try_at = now(), is_in_line = false, is_woken = false, retry_after = null,
        last_tried_at = null, last_status = null, last_reason = null
    from wanted where delivery.id = wanted.delivery_id
    returning 1
  ), added as (
    insert into webhook_deliveries (endpoint_id, event_id, tank_id)
    select $1, id, tank_id from wanted where delivery_id is null order by created_at, id
    returning 1
  )
  select ((select count(*) from again) + (select count(*) from added))::integer as queued,
         last.created_at::text as since, last.id as after, coalesce($4::timestamptz, now())::text as until
  from (select) one
  left join (select created_at, id from next order by created_at, id offset ${REPLAYED_AT_ONCE - 1}) last on true`;
