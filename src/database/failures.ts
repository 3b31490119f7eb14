// Which failures mean "the database cannot serve right now" rather than "this service has a defect".

/** More requests wait for a connection than may. */
export class DatabaseOverloaded extends Error {
  constructor() {
    super('Too many requests wait for a connection to the database.');
  }
}

/** The database cannot serve right now; the cause says why. */
export class DatabaseUnavailable extends Error {
  constructor(cause: unknown) {
    super('The database cannot be reached right now.', { cause });
  }
}

const NETWORK_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT',
]);

/** What pg says without a code: a connection that ended, or a bound of ours that ran out. */
const LOST = /^(Connection terminated|Client has encountered a connection error|Client was closed)/;
const TIMED_OUT =
  /^(timeout exceeded when trying to connect|Query read timeout|Connection terminated due to connection timeout)/;

/** SQLSTATE: connection exceptions, resources, operator intervention; refused log-ins, no database, locks, a read-only standby's conflict. */
const UNAVAILABLE_STATES = /^(08...|53...|57...|28...|3D000|55000|55P03|40001)$/;
const LOST_STATES = /^(08...|57P0[123])$/;

export function isUnavailable(error: unknown): boolean {
  return (
    lostItsConnection(error) || TIMED_OUT.test(messageOf(error)) || UNAVAILABLE_STATES.test(codeOf(error))
  );
}

export function lostItsConnection(error: unknown): boolean {
  const message = messageOf(error);
  if (TIMED_OUT.test(message)) return false;
  const code = codeOf(error);
  return NETWORK_CODES.has(code) || LOST_STATES.test(code) || LOST.test(message);
}

function codeOf(error: unknown): string {
  // Node wraps the attempts on several addresses of one host in an AggregateError.
  if (error instanceof AggregateError) return codeOf(error.errors[0]);
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : '';
}

/** For an operator whose command or service cannot even connect. The URL's password is not shown. */
export function explainUnreachable(url: string, error: unknown): string {
  const reason = messageOf(error) || codeOf(error) || String(error);
  return `The database at ${new URL(url).host} cannot be reached: ${reason}. Check DATABASE_URL.`;
}
