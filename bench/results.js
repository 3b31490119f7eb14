// From single runs to the figures that are shown: medians, and ratios taken within a round before their median is, so that
// a machine that is slower in one round than in the next does not blur them.

/** @param {number[]} values */
export function median(values) {
  if (values.length === 0) return null;
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** The median over the rounds of one server's rate by another's. */
function ratio(runs, others) {
  if (runs === undefined || others === undefined) return null;
  return median(runs.map((run, round) => run.rate / atLeastOne(others[round])));
}

/** A server that finished nothing is given one request, in the time it was given. */
const atLeastOne = ({ rate, seconds }) => Math.max(rate, 1 / seconds);

export function summarize({
  cases,
  runs,
  csv,
  live,
  memory,
  startUp,
  imported,
  forecasts,
  wrong,
  about,
  options,
  data,
}) {
  const summary = cases.map(({ name, label, paths }) => {
    const ofCase = runs.get(name);
    return {
      name,
      label,
      paths: paths.length,
      servers: Object.fromEntries(
        Object.entries(ofCase).map(([server, list]) => [server, { ...medians(list), runs: list }]),
      ),
      toBare: ratio(ofCase.service, ofCase.bare),
      toTypical: ratio(ofCase.service, ofCase.typical),
    };
  });
  const between = (first, second) => ratio(runs.get(first)?.service, runs.get(second)?.service);
  return {
    about,
    options,
    data,
    cases: summary,
    pages: {
      customers: {
        firstToRandom: between('customers-first', 'customers-random'),
        firstToLast: between('customers-first', 'customers-last'),
      },
      bigTank: {
        firstToRandom: between('big-first', 'big-random'),
        firstToLast: between('big-first', 'big-last'),
      },
    },
    bigToSmall: between('big-first', 'small-first'),
    csv: {
      csvRate: median(csv.map((round) => round.csv)),
      copyRate: median(csv.map((round) => round.copy)),
      toCopy: median(csv.map((round) => round.csv / round.copy)),
      runs: csv,
    },
    memory,
    startUp: { median: median(startUp), runs: startUp },
    import: summarizeImport(imported),
    live: summarizeLive(live),
    forecasts,
    wrong,
  };
}

function medians(list) {
  const of = (name) => median(list.map((run) => run[name]).filter((value) => value !== null));
  return {
    rate: of('rate'),
    p50: of('p50'),
    p99: of('p99'),
    processor: of('processor'),
    unfinished: list.reduce((sum, { unfinished }) => sum + unfinished, 0),
  };
}

function summarizeLive({ singles, uplinks, managed, batches, beside, imported, changes, alerts, webhooks }) {
  return {
    single: {
      rate: median(singles.service.map(({ rate }) => rate)),
      p50: median(singles.service.map(({ p50 }) => p50)),
      toBare: ratio(
        singles.service.map((run) => ({ ...run, seconds: 1 })),
        singles.bare.map((run) => ({ ...run, seconds: 1 })),
      ),
      toTypical: ratio(
        singles.service.map((run) => ({ ...run, seconds: 1 })),
        singles.typical.map((run) => ({ ...run, seconds: 1 })),
      ),
    },
    managed: Object.fromEntries(
      Object.entries(managed).map(([load, runs]) => [
        load,
        {
          rate: median(runs.map(({ patch }) => patch.rate)),
          readingRate: median(runs.map(({ reading }) => reading.rate)),
          cost: median(runs.map(({ reading, patch }) => reading.rate / patch.rate)),
          failed: runs.reduce((sum, { patch }) => sum + patch.failed, 0),
        },
      ]),
    ),
    batch: {
      rate: median(batches.map(({ sent }) => sent)),
      importRate: median(batches.map(({ imported: rate }) => rate)),
      toImport: median(batches.map(({ sent, imported: rate }) => sent / rate)),
    },
    readsBeside: median(beside.map((run) => run.beside / run.alone)),
    importBeside: imported,
    uplinks: {
      rate: median(uplinks.map((run) => run.uplinks)),
      cost: median(uplinks.map((run) => run.readings / run.uplinks)),
      historyCost: median(uplinks.map((run) => run.long / run.plain)),
    },
    changes: summarizeChanges(changes),
    alerts: median(alerts.map(({ judged, unjudged }) => judged / unjudged)),
    webhooks: {
      ...webhooks,
      readsBeside: median(webhooks.reads.map((run) => run.beside / run.alone)),
      besideHanging: median(webhooks.beside.map((run) => run.beside / run.alone)),
      claimBehindBlocked: webhooks.claims.blocked / webhooks.claims.empty,
    },
    runs: { singles, uplinks, managed, batches, beside, changes, alerts },
  };
}

function summarizeChanges({ writing, feed, waiting }) {
  const medianOf = (name) => median(feed.runs.map((run) => run[name]));
  return {
    writing: Object.fromEntries(
      Object.entries(writing).map(([load, runs]) => [
        load,
        {
          rate: median(runs.map(({ noted }) => noted)),
          plainRate: median(runs.map(({ plain }) => plain)),
          cost: median(runs.map(({ noted, plain }) => plain / noted)),
        },
      ]),
    ),
    feed: {
      changes: feed.wanted,
      rate: medianOf('feed'),
      listRate: medianOf('largest'),
      samePagesRate: medianOf('same'),
      toList: median(feed.runs.map((run) => run.feed / run.largest)),
      toSamePages: median(feed.runs.map((run) => run.feed / run.same)),
    },
    waiting: {
      waited: Math.min(...waiting.map(({ waited }) => waited)),
      reads: median(waiting.map(({ beside, alone }) => beside / alone)),
    },
  };
}

function summarizeImport(imported) {
  if (imported.skipped !== undefined) return imported;
  const { rows, runs } = imported;
  return {
    rows,
    importRate: median(runs.import.map(({ rate }) => rate)),
    copyRate: median(runs.copy.map(({ rate }) => rate)),
    toCopy: median(runs.import.map(({ rate }, round) => rate / runs.copy[round].rate)),
    runs,
  };
}
