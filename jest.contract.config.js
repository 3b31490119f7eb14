// What callers and operators were promised, without what tests our own machinery: run by `npm run test:scale` on each engine.
import base from './jest.base.config.js';

const SPECS = [
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
  'parameters',
  'property',
  'retention',
  'scopes',
  'series',
  'states',
  'tanks',
  'telemetry',
];

export default {
  ...base,
  testMatch: SPECS.map((name) => `<rootDir>/test/${name}.e2e-spec.ts`),
};
