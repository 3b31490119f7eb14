// What is set and ignored: settings of earlier versions, misspelt ones, and values of OpenTelemetry's that are not supported. Warnings, not
// errors: an environment also has variables that are not for this service.
import { distance } from 'fastest-levenshtein';
import { SETTINGS } from './settings.js';

/** What follows their names, and the settings that were removed: in 2.0, then in 3.0. */
const REMOVED = {
  '': 'KEEP_ALIVE_TIMEOUT_MS MAX_BODY_BYTES MAX_CONNECTIONS MAX_HEADER_BYTES MAX_WAITING_REQUESTS MAX_REPLICATION_LAG_SECONDS RATE_LIMIT_WINDOW_SECONDS',
  ' (use ANSWER_TIMEOUT_MS)':
    'DATABASE_ACQUIRE_TIMEOUT_MS DATABASE_STATEMENT_TIMEOUT_MS DATABASE_LOCK_TIMEOUT_MS HEADERS_TIMEOUT_MS REQUEST_TIMEOUT_MS INGEST_ANSWER_TIMEOUT_MS',
  ' (use the options of DATABASE_URL)': 'DATABASE_PLAN_CACHE_MODE',
  ' (use SHUTDOWN_GRACE_MS)': 'SHUTDOWN_DELAY_MS',
};

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
  const unsupported = PROTOCOLS.filter(
    (name) => set.includes(name) && !SUPPORTED.test(environment[name] ?? ''),
  );
  return [
    ...line('settings that no longer exist are ignored', set.flatMap(removed)),
    ...line('unknown settings are ignored', set.flatMap(misspelt)),
    ...line(
      'values that are not supported are ignored, and spans are sent as http/json, usually to port 4318',
      unsupported.map((name) => `${name} (${environment[name]}: use http/json or http/protobuf)`),
    ),
  ];
}

function line(what: string, names: readonly string[]): string[] {
  return names.length === 0 ? [] : [`${what}: ${names.join(', ')}; see docs/configuration.md`];
}

/** With what to use instead; empty unless it was removed. */
function removed(name: string): string[] {
  return Object.entries(REMOVED).flatMap(([hint, names]) =>
    names.split(' ').includes(name) ? [name + hint] : [],
  );
}

/** With what was meant. A short name is near many others: HOST is near HOME. */
function misspelt(name: string): string[] {
  if (KNOWN.includes(name) || removed(name).length > 0) return [];
  const near = KNOWN.find((known) => known.length > 4 && distance(name, known) <= (known.length < 8 ? 1 : 2));
  if (near !== undefined) return [`${name} (did you mean ${near}?)`];
  return OURS.test(name) ? [name] : [];
}
