// Which failures mean "the database cannot serve right now" rather than "this service has a defect".

export class DatabaseOverloaded extends Error {
  constructor() {
    super('Too many requests wait for a connection to the database.');
  }
}

export class DatabaseUnavailable extends Error {
  constructor(cause: unknown, message = `The database cannot be reached: ${describeFailure(cause)}`) {
    super(message, { cause });
  }
}

/** A session that would answer wrongly, or not at all; the message says what to change. */
export class UnfitSession extends Error {}

/**
 * SQLSTATE: connection exceptions, resources, operator intervention; sessions that were idle in a transaction for too long; refused log-ins, no
 * database, locks, a read-only standby's conflict.
 */
const UNAVAILABLE_STATES = /^(08...|53...|57...|25P0[34]|28...|3D000|55000|55P03|40001)$/;
const LOST_STATES = /^(08...|57P0[123]|25P0[34])$/;

/** pg's messages when a timeout of ours is over: another try would take as long. */
const TIMED_OUT =
  /^(timeout exceeded when trying to connect|Query read timeout|Connection terminated due to connection timeout)/;

/** The server's own errors have a SQLSTATE; every other failure is one of the way there: network, TLS, protocol, timeout. */
export function isUnavailable(error: Error): boolean {
  return !isFromServer(error) || UNAVAILABLE_STATES.test(findCode(error));
}

export function lostItsConnection(error: Error): boolean {
  if (error instanceof DatabaseUnavailable)
    return error.cause instanceof Error && lostItsConnection(error.cause);
  if (isFromServer(error)) return LOST_STATES.test(findCode(error));
  return !TIMED_OUT.test(error.message);
}

/** The server refused this statement; its connection can still be used. */
export function isStatementFailure(error: Error): boolean {
  return isFromServer(error) && !LOST_STATES.test(findCode(error));
}

export function asUnavailable(error: Error): Error {
  if (error instanceof DatabaseUnavailable || !isUnavailable(error)) return error;
  return new DatabaseUnavailable(error);
}

/** The server ended one of several transactions that waited for each other; nothing of it is stored. */
export const isDeadlock = (error: unknown): boolean => findCode(error) === '40P01';

/** What the statement refers to has been removed since it began. */
export const refersToNothing = (error: unknown): boolean => findCode(error) === '23503';

/** Somebody else held a lock for too long. */
export function waitedTooLong(error: unknown): boolean {
  const cause = error instanceof DatabaseUnavailable ? error.cause : error;
  return ['55P03', '57014'].includes(findCode(cause));
}

/** For a connection of the pool, all of which were busy: this says nothing about the server. */
export function waitedInLine(error: unknown): boolean {
  const cause = error instanceof DatabaseUnavailable ? error.cause : error;
  return describeFailure(cause) === 'timeout exceeded when trying to connect';
}

/** The server failed, not the statement: another one may well answer it. */
export function isServerFailure(error: unknown): error is DatabaseUnavailable {
  return error instanceof DatabaseUnavailable && findCode(error.cause) !== '57014'; // what took too long would again
}

/** This database, or this role on it, only reads. */
export const mayNotWrite = (error: unknown): boolean => ['25006', '42501'].includes(findCode(error));

/** What a write failed with, for the log and for who is answered. */
export function asWriteFailure(error: Error): Error {
  if (!mayNotWrite(error)) return asUnavailable(error);
  return new DatabaseUnavailable(
    error,
    `This database, or this role, may not write: see docs/least-privilege.sql, or set INGEST=false. ${error.message}`,
  );
}

/** This role lacks a right on something that is there. */
export const isDenied = (error: unknown): error is Error => findCode(error) === '42501';

/** By GSSAPI, for example, of which pg knows nothing. */
export function asksForUnknownLogin(error: Error): boolean {
  return error.message.startsWith('Unknown authenticationOk message type');
}

function isFromServer(error: Error): boolean {
  return 'severity' in error;
}

export function findCode(error: unknown): string {
  // Node wraps the attempts on several addresses of one host in an AggregateError.
  if (error instanceof AggregateError) return findCode(error.errors[0]);
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

export function describeFailure(error: unknown): string {
  return (error instanceof Error ? error.message : '') || findCode(error) || String(error);
}

/** For an operator whose command or service cannot even connect. The URL's password is not shown. */
export function asUnreachable(url: string, error: unknown, setting = 'DATABASE_URL'): DatabaseUnavailable {
  if (error instanceof UnfitSession) return new DatabaseUnavailable(error, error.message);
  const message = `The database at ${new URL(url).host} cannot be reached: ${describeFailure(error)}. ${adviceFor(error, setting)}`;
  return new DatabaseUnavailable(error, message);
}

const UNKNOWN_SIGNER = /SELF_SIGNED_CERT|UNABLE_TO_(VERIFY_LEAF_SIGNATURE|GET_ISSUER_CERT)/;

/** What to change in the setting; TLS and passwords fail with words that do not say it. */
function adviceFor(error: unknown, setting: string): string {
  const [code, reason] = [findCode(error), describeFailure(error)];
  if (UNKNOWN_SIGNER.test(code))
    return `Name the authority that signed its certificate with sslrootcert=FILE in ${setting}: every sslmode but disable and no-verify checks it.`;
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return `Its certificate is for another host: use that name in ${setting}.`;
  if (reason.includes('does not support SSL'))
    return `It does not speak TLS: set sslmode=disable in ${setting}.`;
  if (reason.includes('no pg_hba.conf entry') && /no encryption|SSL off/.test(reason))
    return `It may want TLS: set sslmode=verify-full in ${setting}.`;
  if (reason.includes('unsupported startup parameter'))
    return 'A pooler refuses the settings of the service: see "Pooler" in docs/database.md for its ignore_startup_parameters.';
  if (code === '28P01')
    return `Check ${setting}: in its password, all but letters and digits is percent-encoded, such as %23 for #.`;
  return `Check ${setting}.`;
}
