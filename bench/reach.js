// What the service is to reach, and whether it did. A figure that this run's data cannot tell is neither reached nor missed. A run that
// measured nothing somewhere, or in which a bound was beaten that cannot be, has faults and reaches nothing.

export const LIMIT_CASES = ['tank-by-id', 'customers-first', 'tanks-100', 'telemetry-10', 'big-random'];
const MEGABYTE = 1_000_000;

/** How far noise alone takes a figure past its bound. */
const NOISE = 1.1;

/** @returns {{ lines: { what: string, target: string, value: string, reached: boolean | null }[], faults: string[] }} */
export function reach(results) {
  const { cases, pages, bigToSmall, memory, startUp, data, options } = results;
  const byName = new Map(cases.map((entry) => [entry.name, entry]));
  const isLarge = data.big >= 5_000_000 && data.customers >= 1_000_000;

  const limits = LIMIT_CASES.map((name) => byName.get(name)?.toBare ?? null);
  const complete = !limits.includes(null);
  const mean = complete ? limits.reduce((sum, value) => sum + value, 0) / limits.length : null;
  const lines = LIMIT_CASES.map((name, index) =>
    atLeast(`service / bare: ${byName.get(name)?.label ?? name}`, 0.65, limits[index], AT_MOST_ONE),
  );
  lines.push(atLeast('service / bare: mean of these', 0.7, mean, AT_MOST_ONE));

  const least = cases.toSorted((a, b) => a.toTypical - b.toTypical)[0];
  lines.push(
    isLarge
      ? notHere('service / typical, the least of all cases', '≥ 5', 'on the default data')
      : atLeast(`service / typical, the least of all cases (${least.label})`, 5, least.toTypical),
  );
  for (const [label, name, target] of [
    ['page 1 of 5 M readings', 'big-first', 500],
    ['page 1 of 1 M customers', 'customers-first', 100],
  ]) {
    const what = `service / typical: ${label}`;
    lines.push(
      isLarge
        ? atLeast(what, target, byName.get(name)?.toTypical ?? null)
        : notHere(what, `≥ ${target}`, 'with --large'),
    );
  }

  lines.push(...reachOfFleet(byName, isLarge), ...reachOfRows(results), ...reachOfLive(results.live));

  const size = data.big.toLocaleString('en');
  lines.push(
    atMost('a night of forecasts, for 100,000 tanks', 300, results.forecasts.hundredThousand, { unit: ' s' }),
    atMost('customers: page 1 / random page', 1.6, pages.customers.firstToRandom),
    atMost(`${size} readings: page 1 / random page`, 1.6, pages.bigTank.firstToRandom),
    atLeast(`page 1 of ${size} / page 1 of ${data.small.toLocaleString('en')} readings`, 0.8, bigToSmall),
    atMost('resident memory under load', 180, memory.service / MEGABYTE, { unit: ' MB' }),
    atMost('start to first answer', 1.6, startUp.median / 1000, { unit: ' s' }),
  );
  return options.size === 'smoke' ? { lines: withoutVerdict(lines), faults: [] } : judged(lines);
}

/** One figure that cannot be takes the others with it. */
export function judged(lines) {
  const faults = lines.flatMap(({ fault }) => fault ?? []);
  return { lines: faults.length === 0 ? lines : withoutVerdict(lines), faults };
}

const withoutVerdict = (lines) => lines.map((each) => ({ ...each, reached: null }));

/** The fleet, the series and their cost in units of the cheapest read there is. */
function reachOfFleet(byName, isLarge) {
  const unit = byName.get('tank-by-id')?.servers.service.p50 ?? null;
  const times = (name) => {
    const p50 = byName.get(name)?.servers.service.p50 ?? null;
    return unit === null || p50 === null ? null : p50 / unit;
  };
  const lines = [];
  for (const name of ['fleet-first', 'fleet-low', 'fleet-alert', 'fleet-summary']) {
    const label = byName.get(name)?.label ?? name;
    lines.push(
      isLarge
        ? atLeast(`service / typical: ${label}, 1 M tanks`, 100, byName.get(name)?.toTypical ?? null)
        : notHere(`service / typical: ${label}, 1 M tanks`, '≥ 100', 'with --large'),
      atMost(`p50 of ${label} / p50 of tank by id`, 15, times(name)),
    );
  }
  lines.push(
    atMost('p50 of a series of 35,000 readings / p50 of tank by id', 60, times('series-year')),
    atLeast('service / typical: series', 10, byName.get('series-year')?.toTypical ?? null),
  );
  return lines;
}

/** Readings in, alerts, webhooks out. */
function reachOfLive({
  single,
  uplinks,
  managed,
  batch,
  readsBeside,
  importBeside,
  changes,
  alerts,
  webhooks,
}) {
  return [
    atLeast('one reading a request: service / bare', 3.5, single.toBare),
    atLeast('one reading a request: service / typical', 4, single.toTypical),
    atMost('one uplink a request: its cost / that of one reading', 2, uplinks.cost),
    atMost('one uplink with 100 entries of history: its time / that of one without', 5, uplinks.historyCost),
    atMost(
      'time of a PATCH of a tank / of one reading a request, one after the other',
      5,
      managed.alone.cost,
    ),
    atMost('the same with 64 connections, where readings are written together', 5, managed.together.cost),
    atLeast('batches of 1,000: rows/s / import of the same rows', 0.5, batch.toImport),
    atLeast('tank by id while readings come in at half the maximum / alone', 0.5, readsBeside, AT_MOST_ONE),
    atMost('refused or failed requests beside an import', 0, importBeside.failed),
    atMost(
      'one reading a request: time with notes of changes / without',
      1.15,
      changes.writing.single.cost,
      AT_LEAST_ONE,
    ),
    atMost(
      'batches of 1,000: time with notes of changes / without',
      1.15,
      changes.writing.batch.cost,
      AT_LEAST_ONE,
    ),
    atLeast(
      'changes/s in pages of 1,000 / rows/s of an NDJSON list in pages of 1,000',
      0.5,
      changes.feed.toSamePages,
    ),
    atLeast('the same / in pages of 10,000', 0.5, changes.feed.toList),
    atLeast('tank by id while 1,000 wait for changes / alone', 0.95, changes.waiting.reads, AT_MOST_ONE),
    atLeast('every tank runs low: readings/s with alerts / without', 0.8, alerts, AT_MOST_ONE),
    atLeast('webhooks delivered a second', 500, webhooks.rate),
    atMost('resident memory while they are', 200, webhooks.memory / MEGABYTE, { unit: ' MB' }),
    atLeast(
      'tank by id while 100 webhooks a second are delivered / alone',
      0.9,
      webhooks.readsBeside,
      AT_MOST_ONE,
    ),
    atLeast('webhooks beside 12 receivers that hang / alone', 0.8, webhooks.besideHanging, AT_MOST_ONE),
    atMost('a claim beside 30,000 held up deliveries / an empty one', 1.5, webhooks.claimBehindBlocked),
  ];
}

/** Rows against PostgreSQL's own COPY, out and in. */
function reachOfRows({ csv, import: imported, data }) {
  const target = imported?.rows >= 1_000_000 ? 0.6 : 0.45;
  return [
    atLeast(
      'CSV of 10,000 readings / COPY … TO of the same, one connection',
      0.3,
      csv?.toCopy ?? null,
      AT_MOST_ONE,
    ),
    data.tanks < 1_000
      ? notHere('import / COPY', `≥ ${target}`, 'not on so few rows')
      : atLeast(
          `import / COPY, ${imported?.rows?.toLocaleString('en')} readings`,
          target,
          imported?.toCopy ?? null,
          AT_MOST_ONE,
        ),
  ];
}

/** The same without what is measured cannot be slower. */
const AT_MOST_ONE = { most: 1 };
const AT_LEAST_ONE = { least: 1 };

export const atLeast = (what, target, value, more) =>
  line(what, `≥ ${target}${more?.unit ?? ''}`, value, value >= target, more);
export const atMost = (what, target, value, more) =>
  line(what, `≤ ${target}${more?.unit ?? ''}`, value, value <= target, { ...more, mayBeNone: target === 0 });
const notHere = (what, target, value) => ({ what, target, value, reached: null });

function line(what, target, value, reached, { unit = '', mayBeNone = false, most, least } = {}) {
  if (value === null) return notHere(what, target, 'not measured');
  const shown = `${value >= 100 ? value.toFixed(0) : value.toFixed(2)}${unit}`;
  if (!Number.isFinite(value) || value < 0 || (value === 0 && !mayBeNone))
    return { ...notHere(what, target, 'nothing'), fault: `${what}: measured nothing (${shown})` };
  const isBeaten = value > NOISE * (most ?? Infinity) || value < (least ?? -Infinity) / NOISE;
  const fault = isBeaten ? `${what}: ${shown} is past its bound of ${most ?? least}` : undefined;
  return { what, target, value: shown, reached, fault };
}
