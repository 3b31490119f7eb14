// Every kind of test, one project each. The scripts in package.json choose among them, and say how long a test may take: a project
// cannot.
import { availableParallelism } from 'node:os';
import { moduleNameMapper as bundledPackages } from './test/support/packages.js';

/** What callers and operators were promised, without what tests our own machinery: `npm run test:scale` runs it on each engine. */
const CONTRACT = [
  'changes',
  'changes-property',
  'changes-waiting',
  'consistency',
  'counts',
  'customers',
  'errors',
  'events',
  'events-property',
  'export',
  'fleet',
  'formats-round-trip',
  'formats',
  'health',
  'import',
  'ingest',
  'ingest-import',
  'ingest-property',
  'keys',
  'lists',
  'manage-bound',
  'manage-concurrent',
  'manage-customers',
  'manage-preconditions',
  'manage-property',
  'manage-requests',
  'manage-tanks',
  'parameters',
  'property',
  'quarantine',
  'retention',
  'scopes',
  'sensors',
  'series',
  'states',
  'tanks',
  'telemetry',
  'uplinks',
];

/** TypeScript as ES modules, compiled by swc with the decorators' metadata. */
const typescript = {
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '^.+\\.ts$': '@swc/jest' },
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  modulePathIgnorePatterns: ['<rootDir>/.data/'],
};

/** On a real PostgreSQL, which the run starts first, as it bundles packages. */
const onPostgres = (displayName, ...specs) => ({
  ...typescript,
  displayName,
  moduleNameMapper: { ...typescript.moduleNameMapper, ...bundledPackages },
  testMatch: specs.map((spec) => `<rootDir>/test/${spec}.e2e-spec.ts`),
  globalSetup: './test/support/global-setup.ts',
  globalTeardown: './test/support/global-teardown.ts',
});

export default {
  // The specs wait more than they compute, some of them for seconds.
  maxWorkers: availableParallelism() + 1,
  projects: [
    // Functions, beside the code: neither PostgreSQL nor a build is needed.
    { ...typescript, displayName: 'unit', testMatch: ['<rootDir>/src/**/*.spec.ts'] },
    // The service over HTTP, its command line, and its client.
    onPostgres('e2e', '*', 'client/*'),
    // Swagger UI and the fleet page, in a real browser.
    onPostgres('browser', 'browser/*'),
    // The service as a process of its own while its surroundings fail. Run with --forceExit: Node 20 may spin for ever in its own
    // cleanup when a test left something open (uv_run below CleanupHandles).
    onPostgres('faults', 'faults/*'),
    // Behind a pooler, beside standbys, on partitions and on a cluster. What is not installed is skipped, with what it needs.
    onPostgres('scale', 'scale/*'),
    onPostgres('contract', ...CONTRACT),
  ],
};
