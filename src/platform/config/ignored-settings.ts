// What is set and ignored: settings of earlier versions, misspelt ones, and values of OpenTelemetry's that are not supported. Warnings, not
// errors: an environment also has variables that are not for this service.
import { distance } from 'fastest-levenshtein';
import { SETTINGS } from './settings.js';

/** What to use instead, and the settings that were removed for it: in 2.0, then in 3.0. */
const REPLACED = {
  '': 'KEEP_ALIVE_TIMEOUT_MS MAX_BODY_BYTES MAX_CONNECTIONS MAX_HEADER_BYTES MAX_WAITING_REQUESTS MAX_REPLICATION_LAG_SECONDS RATE_LIMIT_WINDOW_SECONDS',
  ANSWER_TIMEOUT_MS:
    'DATABASE_ACQUIRE_TIMEOUT_MS DATABASE_STATEMENT_TIMEOUT_MS DATABASE_LOCK_TIMEOUT_MS HEADERS_TIMEOUT_MS REQUEST_TIMEOUT_MS INGEST_ANSWER_TIMEOUT_MS',
  'the options of DATABASE_URL': 'DATABASE_PLAN_CACHE_MODE',
  SHUTDOWN_GRACE_MS: 'SHUTDOWN_DELAY_MS',
};
const REMOVED: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(REPLACED).flatMap(([instead, names]) => names.split(' ').map((name) => [name, instead])),
);

const PROTOCOLS = ['OTEL_EXPORTER_OTLP_PROTOCOL', 'OTEL_EXPORTER_OTLP_TRACES_PROTOCOL'];
const SUPPORTED = /^\s*http\/(json|protobuf)\s*$/;
const KNOWN = [
  ...Object.keys(SETTINGS),
  ...PROTOCOLS,
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
];
/** What begins so is for nobody else. */
const OURS = /^(INGEST|WEBHOOK|RATE_LIMIT|SHUTDOWN)_/;

/** One line about each kind. */
export function warningsOfSettings(environment: NodeJS.ProcessEnv = process.env): string[] {
  const set = Object.keys(environment).filter((name) => environment[name]?.trim());
  const removed = set.filter((name) => Object.hasOwn(REMOVED, name));
  const unknown = set.filter((name) => !KNOWN.includes(name) && !removed.includes(name));
  const misspelt = unknown.filter((name) => OURS.test(name) || nearest(name) !== '');
  const unsupported = PROTOCOLS.filter(
    (name) => set.includes(name) && !SUPPORTED.test(environment[name] ?? ''),
  );
  return [
    ...line('settings that no longer exist are ignored', removed, (name) => hint('use ', REMOVED[name])),
    ...line('unknown settings are ignored', misspelt, (name) => hint('did you mean ', nearest(name), '?')),
    ...line(
      'values that are not supported are ignored, and spans are sent as http/json, usually to port 4318',
      unsupported,
      (name) => ` (${environment[name]}: use http/json or http/protobuf)`,
    ),
  ];
}

function line(what: string, names: readonly string[], hintAt: (name: string) => string): string[] {
  if (names.length === 0) return [];
  return [`${what}: ${names.map((name) => name + hintAt(name)).join(', ')}; see docs/configuration.md`];
}

function hint(before: string, name = '', after = ''): string {
  return name === '' ? '' : ` (${before}${name}${after})`;
}

/** Or nothing. A short name is near many others: HOST is near HOME. */
function nearest(name: string): string {
  return KNOWN.find((known) => known.length > 4 && distance(name, known) <= (known.length < 8 ? 1 : 2)) ?? '';
}
