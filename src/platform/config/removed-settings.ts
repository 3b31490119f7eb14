// Settings of earlier versions, each with what to use instead, if there is anything.

const REMOVED: Readonly<Record<string, string>> = {
  // after 2.0
  MAX_REPLICATION_LAG_SECONDS: '',
  METRICS_HOST: 'HOST',
  RATE_LIMIT_WINDOW_SECONDS: '',
  INGEST_ANSWER_TIMEOUT_MS: 'ANSWER_TIMEOUT_MS',
  SHUTDOWN_DELAY_MS: 'SHUTDOWN_GRACE_MS',
  // in 2.0
  DATABASE_ACQUIRE_TIMEOUT_MS: 'ANSWER_TIMEOUT_MS',
  DATABASE_STATEMENT_TIMEOUT_MS: 'ANSWER_TIMEOUT_MS',
  DATABASE_LOCK_TIMEOUT_MS: 'ANSWER_TIMEOUT_MS',
  HEADERS_TIMEOUT_MS: 'ANSWER_TIMEOUT_MS',
  REQUEST_TIMEOUT_MS: 'ANSWER_TIMEOUT_MS',
  DATABASE_PLAN_CACHE_MODE: 'the options of DATABASE_URL',
  KEEP_ALIVE_TIMEOUT_MS: '',
  MAX_BODY_BYTES: '',
  MAX_CONNECTIONS: '',
  MAX_HEADER_BYTES: '',
  MAX_WAITING_REQUESTS: '',
};

/** One line about all that are still set; undefined when none is. */
export function warningOfRemovedSettings(environment: NodeJS.ProcessEnv = process.env): string | undefined {
  const found = Object.entries(REMOVED).filter(([name]) => environment[name]?.trim());
  if (found.length === 0) return undefined;
  const names = found.map(([name, instead]) => (instead === '' ? name : `${name} (use ${instead})`));
  return `settings that no longer exist are ignored: ${names.join(', ')}; see docs/configuration.md`;
}
