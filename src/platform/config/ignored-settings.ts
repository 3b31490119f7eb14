// What is set and ignored: settings of version 2, misspelt ones, and values of OpenTelemetry's that are not supported. Warnings, not
// errors: an environment also has variables that are not for this service.
import { distance } from 'fastest-levenshtein';
import { SETTINGS } from './settings.js';

const REMOVED: Readonly<Record<string, string>> = {
  MAX_REPLICATION_LAG_SECONDS: '',
  RATE_LIMIT_WINDOW_SECONDS: '',
  INGEST_ANSWER_TIMEOUT_MS: 'ANSWER_TIMEOUT_MS',
  SHUTDOWN_DELAY_MS: 'SHUTDOWN_GRACE_MS',
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
