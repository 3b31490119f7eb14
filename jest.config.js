// Every kind of test, one project each. The scripts in package.json choose among them, and say how long a test may take: a project
// cannot.
import { readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { SUPERTEST } from './test/support/packages.js';

/** Nothing may depend on the machine's time zone: an odd one for the tests, for the services in their processes and their PostgreSQL. */
process.env.TZ = 'America/St_Johns';

/** The folders of what callers and operators were promised: `npm run test:scale` runs them on each engine, too. */
const CONTRACT = [
  'customers',
  'tanks',
  'telemetry',
  'sensors',
  'fleet',
  'runs',
  'forecasts',
  'alerts',
  'activity',
  'changes',
  'health',
  'common',
  'operator',
];
/** These have a project, or none. */
const APART = ['browser', 'faults', 'scale', 'clients', 'support'];
/** A new folder is found by itself. */
const OURS = readdirSync(`${import.meta.dirname}/test`).filter(
  (name) => ![...CONTRACT, ...APART].includes(name),
);

/**
 * What CI runs and a developer need not wait for: thousands of random cases, many writers at once, what the worker sends and when, the
 * operator's commands, builds, installations, and whole starts.
 */
const THOROUGH = [
  '\\w+/(\\w+-)?(property|bounds)',
  'changes/changes-waiting',
  'client/(changes|examples|lists|package|sending)',
  'common/(fuzz|formats-round-trip)',
  'demo/(demo|demo-host|embedded-postgres|examples)',
  'docs',
  'fleet/states',
  'forecasts/nights',
  'notices/notices',
  'operator',
  'platform/(consistency|kubernetes|schema|upgrade)',
  'sensors/built-in-profiles',
  'tanks/concurrent-writes',
  'telemetry/ingest-together',
  'webhooks/(webhooks|webhooks-cli|webhook-limits|webhook-receivers)',
];

/** Of the functions beside the code, what takes long; those with properties run in `unit` too, with few cases. */
const THOROUGH_UNITS = ['patterns', 'forecasts/backtest'].map(unit);
const PROPERTIES = [
  'alerts/judge',
  'common/bodies/parse-json',
  'common/datetime/(instant|time-zone)',
  'operator/import/line-reader',
].map(unit);

function unit(name) {
  return `/src/${name}\\.spec\\.ts$`;
}

/** TypeScript as ES modules, compiled by swc with the decorators' metadata. */
const typescript = {
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '^.+\\.ts$': '@swc/jest' },
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  modulePathIgnorePatterns: ['<rootDir>/.data/'],
};

/** Loaded once in each process, as are the modules of the built service (test/support/environment.js). */
const OUTSIDE = [
  '@nestjs/swagger',
  'ajv',
  'csv-parse',
  'esbuild',
  'fast-check',
  'js-yaml',
  'pg',
  'pino',
  'playwright-core',
  'redos-detector',
  'typeorm',
  'typescript',
];

/** Of a folder, or of a part of the path. */
const inTest = (specs) => `/test/${specs}(/[^/]+)?\\.e2e-spec\\.ts$`;

/** On a real PostgreSQL, which the run starts first, and against the built service. */
const onPostgres = (displayName, specs, otherwise = []) => ({
  ...typescript,
  displayName,
  moduleNameMapper: {
    '^(?:\\.{1,2}/)+src/(.*)\\.js$': '<rootDir>/build/$1.js',
    '^supertest$': SUPERTEST,
    ...typescript.moduleNameMapper,
  },
  transform: {
    ...typescript.transform,
    '\\.[cm]?js$': '<rootDir>/test/support/outside.js',
  },
  transformIgnorePatterns: [
    `^${import.meta.dirname}/(?!build/|node_modules/(${OUTSIDE.join('|')})/).*\\.[cm]?js$`,
  ],
  testEnvironment: './test/support/environment.js',
  testRegex: specs.map(inTest),
  testPathIgnorePatterns: otherwise.map(inTest),
  globalSetup: './test/support/global-setup.ts',
  globalTeardown: './test/support/global-teardown.ts',
});

export default {
  // The specs wait more than they compute, some of them for seconds.
  maxWorkers: availableParallelism() + 1,
  projects: [
    // Functions, beside the code: neither PostgreSQL nor a build is needed.
    {
      ...typescript,
      displayName: 'unit',
      testMatch: ['<rootDir>/src/**/*.spec.ts'],
      testPathIgnorePatterns: THOROUGH_UNITS,
    },
    // The page's logic, likewise.
    {
      ...typescript,
      displayName: 'page',
      testMatch: ['<rootDir>/web/**/*.spec.ts'],
      setupFiles: ['<rootDir>/web/unit-setup.js'],
    },
    // The service over HTTP, its command line, and its client.
    onPostgres('e2e', [...CONTRACT, ...OURS], THOROUGH),
    {
      ...onPostgres('thorough', THOROUGH),
      testRegex: [...THOROUGH.map(inTest), ...THOROUGH_UNITS, ...PROPERTIES],
      setupFilesAfterEnv: ['<rootDir>/test/support/many-cases.ts'],
    },
    // Swagger UI and the fleet page, in a real browser.
    onPostgres('browser', ['browser']),
    // The service as a process of its own while its surroundings fail. Run with --forceExit: Node 20 may spin for ever in its own
    // cleanup when a test left something open (uv_run below CleanupHandles).
    onPostgres('faults', ['faults']),
    // Behind a pooler, beside standbys, on partitions and on a cluster. What is not installed is skipped, with what it needs.
    onPostgres('scale', ['scale']),
    onPostgres('contract', CONTRACT, ['telemetry/writer']), // whose triggers a cluster does not take
  ],
};
