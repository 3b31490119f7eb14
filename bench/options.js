// What a run measures and on how much data, from the command line.
import { parseArgs } from 'node:util';
import { CASE_NAMES } from './cases.js';

/** Rows to build, and how long to measure: three sizes to choose from, each number of which has its own option. */
const SIZES = {
  default: {
    customers: 20_000,
    tanks: 20_000,
    readings: 600_000,
    big: 200_000,
    small: 5_000,
    imported: 200_000,
    rounds: 3,
    seconds: 2,
    connections: 16,
  },
  large: {
    customers: 1_000_000,
    tanks: 1_000_000,
    readings: 12_000_000,
    big: 5_000_000,
    small: 5_000,
    imported: 1_000_000,
    rounds: 3,
    seconds: 3,
    connections: 16,
  },
  smoke: {
    customers: 400,
    tanks: 400,
    readings: 6_000,
    big: 3_000,
    small: 500,
    imported: 2_000,
    rounds: 1,
    seconds: 0.2,
    connections: 8,
  },
};

/** How many requests each server answers before anything counts, and how long it is given for them. */
const WARM_UP = {
  default: { requests: 20_000, seconds: 15 },
  large: { requests: 20_000, seconds: 30 },
  smoke: { requests: 1, seconds: 1 },
};

const NUMBERS = Object.keys(SIZES.default);

/** Builds of one program differ by little: many short turns, so that the machine's other work meets all of them alike. */
const COMPARISON = { rounds: 6, seconds: 0.5, warmUp: { requests: 8_000, seconds: 10 } };

/** The one file of results that is kept. */
export const RELEASE_FILE = 'bench/results/release.txt';

/** Rounds of a release. */
const RELEASE_ROUNDS = 2;

export const USAGE = `Usage: npm run bench -- [options]

Measures the service against a bare server (the limit) and a typical one, all on the same data.

  --large              1 M customers, 1 M tanks, 12 M readings, one tank with 5 M of them
  --smoke              everything, in seconds, on next to nothing: shows that it works, not how fast it is
  --check              only compare all answers of the three servers, on next to nothing, without measuring
  --database URL       a PostgreSQL server where databases whose names begin with tank_bench_ may be made;
                       without it the embedded one is used
  --keep               keep the data set for the next run of the same size
  --release            two rounds of everything and the neighbours, written to ${RELEASE_FILE}
  --only CASE          measure this case only; may be repeated: ${CASE_NAMES.slice(0, 3).join(', ')},
                       ${CASE_NAMES.slice(3).join(', ')}
  --rounds N           how often each case is measured on each server
  --seconds N          how long each time
  --connections N      keep-alive connections, each with one request under way
  --customers N --tanks N --readings N --big N --small N
                       rows to build; of the readings, "big" and "small" belong to one tank each
  --imported N         rows for the import
  --against DIR        measure the service against another build of it, DIR/main.js, instead; may be repeated
  --departures         measure it against builds that each have one departure from stock taken out, instead
  --scale              measure what going past one machine costs, instead: partitions, standbys, a cluster
  --forecasts          measure what a night of forecasts costs, instead
  --map                measure the fleet page's map with 20,000 tanks in chromium (CHROMIUM_PATH), instead
  --plan               measure the fleet page's plan with 20,000 tanks, 9,000 of them due, in chromium, instead
  --mqtt               measure how many messages of a broker are stored a second, instead; needs mosquitto
  --notices            measure what recipients cost readings, and how soon ten thousand events are mailed, instead
  --neighbours         measure what one caller can do to the others, instead: attacks, and a neighbour's request beside each;
                       --only TEXT tries those with this text in their name
  --starts N           how often each pair of builds is started
  --json FILE          write all results
  --chart FILE         draw them, as SVG
  --help
`;

export class UsageError extends Error {}

/** @param {string[]} argv */
export function readOptions(argv) {
  const values = parse(argv);
  if (values.large && values.smoke) throw new UsageError('Choose --large or --smoke, not both.');
  if (values.release && (values.large || values.smoke || values.check))
    throw new UsageError('A release is measured on data of the default size.');
  const size = values.large ? 'large' : values.smoke || values.check ? 'smoke' : 'default';
  const numbers = Object.fromEntries(
    NUMBERS.map((name) => [
      name,
      values[name] === undefined ? SIZES[size][name] : positive(name, values[name]),
    ]),
  );
  const { customers, tanks, readings, big, small, imported, connections } = numbers;
  const isComparison = values.against !== undefined || values.departures === true;
  const turns = {
    warmUp: WARM_UP[size],
    ...SIZES[size],
    ...(isComparison && size !== 'smoke' ? COMPARISON : {}),
  };
  const usualRounds = values.release ? RELEASE_ROUNDS : turns.rounds;
  const rounds = values.rounds === undefined ? usualRounds : numbers.rounds;
  const seconds = values.seconds === undefined ? turns.seconds : numbers.seconds;
  if (readings < big + small) throw new UsageError('--readings must be at least --big and --small together.');
  if (tanks < 3) throw new UsageError('--tanks must be at least 3.');
  for (const name of values.only ?? []) {
    if (!values.neighbours && !CASE_NAMES.includes(name))
      throw new UsageError(`--only ${name}: the cases are ${CASE_NAMES.join(', ')}.`);
  }
  return {
    help: values.help ?? false,
    size,
    data: { customers, tanks, readings, big, small },
    imported,
    rounds,
    seconds,
    connections,
    warmUp: turns.warmUp,
    starts: values.starts === undefined ? 4 : positive('starts', values.starts),
    only: values.only,
    release: values.release ?? false,
    check: values.check ?? false,
    against: values.against ?? [],
    departures: values.departures ?? false,
    scale: values.scale ?? false,
    forecasts: values.forecasts ?? false,
    map: values.map ?? false,
    plan: values.plan ?? false,
    neighbours: values.neighbours ?? false,
    notices: values.notices ?? false,
    mqtt: values.mqtt ?? false,
    database: values.database,
    keep: values.keep ?? false,
    json: values.json,
    chart: values.chart,
  };
}

function parse(argv) {
  const texts = ['database', 'json', 'chart', 'starts', ...NUMBERS].map((name) => [name, { type: 'string' }]);
  const flags = [
    'large',
    'smoke',
    'check',
    'release',
    'keep',
    'departures',
    'scale',
    'forecasts',
    'map',
    'plan',
    'mqtt',
    'neighbours',
    'notices',
    'help',
  ].map((name) => [name, { type: 'boolean' }]);
  try {
    return parseArgs({
      args: argv,
      options: {
        ...Object.fromEntries([...texts, ...flags]),
        only: { type: 'string', multiple: true },
        against: { type: 'string', multiple: true },
      },
    }).values;
  } catch (error) {
    throw new UsageError(error.message, { cause: error });
  }
}

function positive(name, text) {
  const value = Number(text);
  const valid = name === 'seconds' ? value > 0 : Number.isSafeInteger(value) && value > 0;
  if (!valid)
    throw new UsageError(
      `--${name} must be a ${name === 'seconds' ? '' : 'whole '}number above 0, not "${text}".`,
    );
  return value;
}
