// The data set: customers, tanks and readings over three years, computed inside PostgreSQL and the same in every run.
// It is written through the service's own triggers, in the order in which such rows would have come.
import { withClient } from './database.js';
import { makeForecasts } from './forecasts.js';

/** Changes whenever the rows below do, so that a kept data set is not taken for a new one. */
export const DATA_VERSION = 4;

export const FIRST_DAY = Date.UTC(2023, 9, 1);
export const DAYS = 1_096;

/** The tank with most of the readings, and one with a few thousand. */
export const BIG_TANK_KEY = 1;
export const SMALL_TANK_KEY = 2;

/** One more tank, with a reading every 15 minutes of the first year. */
export const YEAR_TANK_ID = 'bench-year-tank';

const ROWS_A_STATEMENT = 500_000;
const DELETED = 0.01;

/** @param {{ customers: number, tanks: number, readings: number, big: number, small: number }} size */
export async function buildData(url, size) {
  await withHelpers(url, size, async (client) => {
    for (const [from, to] of batches(1, size.customers, ROWS_A_STATEMENT))
      await client.query(CUSTOMERS, [from, to]);
    for (const [from, to] of batches(1, size.tanks, ROWS_A_STATEMENT)) await client.query(TANKS, [from, to]);
  });
  // Side by side: most of the work is computing the rows.
  await Promise.all([
    withHelpers(url, size, async (client) => {
      await addSteadyReadings(client, BIG_TANK_KEY, size.big);
      await addSteadyReadings(client, SMALL_TANK_KEY, size.small);
    }),
    withHelpers(url, size, (client) => addOrdinaryReadings(client, size)),
  ]);
  await withHelpers(url, size, addYearTank);
  await withHelpers(url, size, addForecasts);
  await makeForecasts(url); // what is due now, so that none are made while something else is measured
  await withClient(url, async (client) => {
    await client.query('vacuum (analyze)');
    await client.query('checkpoint');
  });
}

/** As the background work would have made them, had the readings come of late. */
async function addForecasts(client) {
  await client.query(FORECASTS);
  await client.query(
    `update tank_states set forecast_made_at = known.made_at, empty_hours = known.empty_hours,
       alert_hours = case when not low then array[known.empty_hours[1] - 48, known.empty_hours[2] - 96, known.empty_hours[3] - 120] end
     from tank_forecasts known where known.tank_key = tank_states.tank_key`,
  );
  await client.query('select fold_alert_counts()');
}

const FORECASTS = `
  insert into tank_forecasts (tank_key, made_at, seen_at, threshold, level, percent_per_day, empty_hours, round)
  select tank_key, pg_temp.at(1), reported_at, min_fill_alert_percentage, fill_percentage, per_day,
         array[hour + (20 * fill_percentage / per_day)::integer, hour + (24 * fill_percentage / per_day)::integer,
               hour + (30 * fill_percentage / per_day)::integer], 0
  from (select *, 0.5 + 3 * pg_temp.noise(tank_key, 40) as per_day,
               (extract(epoch from pg_temp.at(1)) / 3600)::integer as hour from tank_states) state
  where fleet_group is not null and reported_at is not null`;

function withHelpers(url, size, work) {
  return withClient(url, async (client) => {
    await client.query(helpers(size));
    await work(client);
  });
}

function* batches(first, last, step) {
  for (let from = first; from <= last; from += step) yield [from, Math.min(from + step - 1, last)];
}

// noise(n, salt): a number from 0 to 1 that only depends on its arguments. Row n of a table is created at n/total of the
// three years, give or take, so that later rows are younger and lie in the index where new rows would.
const helpers = ({ customers, tanks }) => `
  create function pg_temp.noise(n bigint, salt bigint) returns float8 language sql immutable as $$
    select (hashint8extended(n, salt) & 1048575)::float8 / 1048576
  $$;
  create function pg_temp.at(share float8) returns timestamptz language sql immutable as $$
    select date_trunc('milliseconds', to_timestamp(${FIRST_DAY / 1000} + ${DAYS * 86_400} * share))
  $$;
  create function pg_temp.pick(choices text[], n bigint, salt bigint) returns text language sql immutable as $$
    select choices[1 + floor(pg_temp.noise(n, salt) * array_length(choices, 1))::int]
  $$;
  create function pg_temp.id(at timestamptz, n bigint, salt bigint) returns text language sql immutable as $$
    select substr(time, 1, 8) || '-' || substr(time, 9, 4) || '-7' || substr(noise, 1, 3) || '-a' || substr(noise, 4, 3)
           || '-' || substr(noise, 7, 12)
    from (select lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') as time, md5(n || '/' || salt) as noise) parts
  $$;
  create function pg_temp.customer_at(n bigint) returns timestamptz language sql immutable as $$
    select pg_temp.at((n - pg_temp.noise(n, 1)) / ${customers})
  $$;
  create function pg_temp.tank_at(n bigint) returns timestamptz language sql immutable as $$
    select pg_temp.at((n - pg_temp.noise(n, 2)) / ${tanks})
  $$;
  create function pg_temp.owner_of(n bigint) returns bigint language sql immutable as $$
    select 1 + floor(pg_temp.noise(n, 3) * greatest(n::float8 / ${tanks} * ${customers} - 1, 0))::bigint
  $$`;

const CUSTOMERS = `
  insert into customers
    (id, created_at, updated_at, deleted, email, name, phone, is_verified, verified_at, last_seen_at)
  select
    pg_temp.id(created_at, n, 4), created_at, created_at + pg_temp.noise(n, 5) * interval '90 days',
    pg_temp.noise(n, 6) < ${DELETED},
    lower(replace(person, ' ', '.')) || n || '@' || lower(company) || '.example.com',
    case when pg_temp.noise(n, 7) < 0.4 then company || ' ' || trade else person end,
    case when pg_temp.noise(n, 8) < 0.8 then '+31 20 ' || lpad((n % 10000000)::text, 7, '0') end,
    is_verified,
    case when is_verified then created_at + pg_temp.noise(n, 10) * interval '3 days' end,
    case when pg_temp.noise(n, 11) < 0.7 then created_at + pg_temp.noise(n, 12) * interval '60 days' end
  from (
    select n, pg_temp.customer_at(n) as created_at, pg_temp.noise(n, 9) < 0.75 as is_verified,
      pg_temp.pick('{Anna,Bilal,Chloé,Daan,Elif,Femke,Giorgos,Hanna,Ibrahim,Julia,Kwame,Lotte,Mateo,Noor}', n, 13)
        || ' ' || pg_temp.pick('{Jansen,de Vries,Bakker,Yılmaz,Müller,García,Rossi,Kowalska,Nilsen,Okafor}', n, 14) as person,
      pg_temp.pick('{Harbor,Northside,Polder,Meadow,Sunrise,Riverside,Oakwood,Granite,Copper,Linden}', n, 15) as company,
      pg_temp.pick('{Hotel,Bakery,Greenhouses,Farm,Laundry,Brewery,Campsite,Foundry}', n, 16) as trade
    from generate_series($1::bigint, $2::bigint) n
  ) customer
  order by n`;

const TANKS = `
  insert into tanks
    (id, owner_id, created_at, updated_at, deleted, name, custom_id, assigned_device_id, capacity, capacity_unit, use_case,
     min_fill_alert_percentage, city, country, district, latitude, longitude, postal_code, region, street, street_number)
  select
    pg_temp.id(created_at, n, 20), pg_temp.id(pg_temp.customer_at(owner), owner, 4), created_at,
    created_at + pg_temp.noise(n, 21) * interval '90 days',
    n > ${SMALL_TANK_KEY} and pg_temp.noise(n, 22) < ${DELETED},
    pg_temp.pick('{Boiler house,Yard,North roof,Kitchen,Workshop,Barn,Cellar,Greenhouse}', n, 23) || ' ' || 1 + n % 9,
    case when pg_temp.noise(n, 24) < 0.3 then 'T-' || n end,
    'dev-' || lpad(n::text, 7, '0'),
    (pg_temp.pick('{500,1000,1200,2700,4850,6400}', n, 25))::float8,
    case when pg_temp.noise(n, 26) < 0.8 then 'liters' else 'gallons' end,
    case when pg_temp.noise(n, 27) < 0.9 then pg_temp.pick('{residential,commercial,industrial}', n, 28) end,
    (pg_temp.pick('{10,15,20,25,30}', n, 29))::int,
    case when placed then pg_temp.pick('{Rotterdam,Utrecht,Eindhoven,Groningen,Zwolle,Breda,Arnhem}', n, 30) end,
    case when placed then 'Netherlands' end,
    case when placed and pg_temp.noise(n, 31) < 0.5 then pg_temp.pick('{Delfshaven,Centrum,Noord,Oost}', n, 32) end,
    case when placed then floor((51 + 2 * pg_temp.noise(n, 33)) * 10000) / 10000 end,
    case when placed then floor((4 + 2 * pg_temp.noise(n, 34)) * 10000) / 10000 end,
    case when placed then (1000 + n % 9000) || ' EL' end,
    case when placed and pg_temp.noise(n, 35) < 0.6 then pg_temp.pick('{Zuid-Holland,Gelderland,Overijssel}', n, 36) end,
    case when placed then pg_temp.pick('{Havenstraat,Kerkweg,Molenlaan,Dorpsstraat,Stationsplein}', n, 37) end,
    case when placed then (1 + n % 220)::text end
  from (
    select n, pg_temp.tank_at(n) as created_at, pg_temp.owner_of(n) as owner, pg_temp.noise(n, 38) < 0.85 as placed
    from generate_series($1::bigint, $2::bigint) n
  ) tank
  order by n`;

/** One reading at a time, evenly over the three years: the level falls for a month, then the tank is filled. */
async function addSteadyReadings(client, tank, count) {
  for (const [from, to] of batches(1, count, ROWS_A_STATEMENT)) {
    await client.query(
      `insert into telemetry (tank_key, created_at, fill_percentage)
       select $1, created_at, ${fillAt('created_at', '$1')}
       from (select n, pg_temp.at((n - pg_temp.noise(n, 40)) / $4) as created_at
             from generate_series($2::bigint, $3::bigint) n) reading
       order by n`,
      [tank, from, to, count],
    );
  }
}

/** A year of a sensor that reports every quarter of an hour. */
async function addYearTank(client) {
  const { rows } = await client.query(
    `insert into tanks (id, owner_id, created_at, updated_at, name, assigned_device_id, capacity, capacity_unit, min_fill_alert_percentage)
     select $1, owner_id, created_at, updated_at, name, 'dev-year', capacity, capacity_unit, min_fill_alert_percentage
     from tanks where key = $2 returning key`,
    [YEAR_TANK_ID, SMALL_TANK_KEY],
  );
  await client.query(
    `insert into telemetry (tank_key, created_at, fill_percentage)
     select $1, created_at, ${fillAt('created_at', '$1')}
     from (select pg_temp.at(0) + n * interval '15 minutes' as created_at from generate_series(0, 35039) n) reading`,
    [rows[0].key],
  );
}

/** Every other tank has a few, one every six hours from its first day on. */
async function addOrdinaryReadings(client, { tanks, readings, big, small }) {
  const ordinary = tanks - SMALL_TANK_KEY;
  const total = readings - big - small;
  const each = Math.floor(total / ordinary);
  const more = total - each * ordinary; // the first tanks have one more
  const step = Math.max(1, Math.floor(ROWS_A_STATEMENT / (each + 1)));
  for (const [from, to] of batches(SMALL_TANK_KEY + 1, tanks, step)) {
    await client.query(
      `insert into telemetry (tank_key, created_at, fill_percentage)
       select key, created_at, ${fillAt('created_at', 'key')}
       from (select key, n, date_trunc('milliseconds',
               created_at + (n - pg_temp.noise(key * 1000 + n, 41)) * interval '6 hours') as created_at
             from tanks, generate_series(1, $3 + case when key <= $4 then 1 else 0 end) n
             where key between $1 and $2) reading
       order by key, n`,
      [from, to, each, SMALL_TANK_KEY + more],
    );
  }
}

const fillAt = (time, tank) => `
  (select floor((94 - 78 * (months - floor(months)) + 2 * pg_temp.noise(floor(months * 1e6)::bigint, 42)) * 10) / 10
   from (select extract(epoch from ${time})::float8 / 2592000 + pg_temp.noise(${tank}, 43) as months) elapsed)`;
