import { describe, expect, it } from '@jest/globals';
import { DatabaseError } from 'pg';
import {
  asUnavailable,
  DatabaseUnavailable,
  asUnreachable,
  isServerFailure,
  isStatementFailure,
  isUnavailable,
  lostItsConnection,
  waitedTooLong,
} from './failures.js';

/** As pg reports what the server said. */
function fromServer(code: string, message = 'no'): DatabaseError {
  return Object.assign(new DatabaseError(message, 0, 'error'), { code, severity: 'ERROR' });
}

/** As Node reports what happened on the way there. */
function onTheWay(code: string, message = code): Error {
  return Object.assign(new Error(message), { code });
}

const READ_TIMEOUT = new Error('Query read timeout');
const NO_CONNECTION = new Error('timeout exceeded when trying to connect');

describe('a failure means that the database cannot serve right now', () => {
  it.each([
    ['the connection broke', fromServer('08006')],
    ['it has no connection left', fromServer('53300')],
    ['it is stopping', fromServer('57P01')],
    ['the statement took too long', fromServer('57014')],
    ['this process was too busy to go on with its transaction', fromServer('25P03')],
    ['the password is wrong', fromServer('28P01')],
    ['there is no such database', fromServer('3D000')],
    ['a lock is held', fromServer('55P03')],
    ['a standby is in the way of its primary', fromServer('40001')],
    ['nobody listens', onTheWay('ECONNREFUSED')],
    ['nobody answers', READ_TIMEOUT],
    ['TLS fails', onTheWay('SELF_SIGNED_CERT_IN_CHAIN')],
  ])('when %s', (_, error) => {
    expect(isUnavailable(error)).toBe(true);
    expect(asUnavailable(error)).toMatchObject({ cause: error });
  });

  it.each([
    ['a table is missing', '42P01'],
    ['a row is refused', '23514'],
    ['a right is missing', '42501'],
    ['nobody knows why', 'XX000'],
  ])('and not when %s: that is a defect', (_, code) => {
    const error = fromServer(code);

    expect(isUnavailable(error)).toBe(false);
    expect(asUnavailable(error)).toBe(error);
  });

  it('and is reported as such once', () => {
    const error = new DatabaseUnavailable(onTheWay('ECONNREFUSED'));

    expect(asUnavailable(error)).toBe(error);
  });
});

describe('a statement may be run again on another connection', () => {
  it.each([
    ['the server ended the connection', fromServer('57P01'), true],
    ['the network did', onTheWay('ECONNRESET'), true],
    ['the network did, as it was reported', new DatabaseUnavailable(onTheWay('EPIPE')), true],
    ['it took too long: it would again', READ_TIMEOUT, false],
    ['there was no connection in time', NO_CONNECTION, false],
    ['the server was too busy', fromServer('53300'), false],
    ['the statement was wrong', fromServer('42601'), false],
  ])('or not, when %s', (_, error, mayRunAgain) => {
    expect(lostItsConnection(error)).toBe(mayRunAgain);
  });
});

describe('a connection may be used on', () => {
  it.each([
    ['the server said no to the statement', fromServer('23514'), true],
    ['the server ended it', fromServer('57P03'), false],
    ['the server ended it, since it was idle in a transaction', fromServer('25P03'), false],
    ['nothing was said', READ_TIMEOUT, false],
  ])('or not, when %s', (_, error, isUsable) => {
    expect(isStatementFailure(error)).toBe(isUsable);
  });
});

describe('another server may answer', () => {
  it.each([
    ['this one is out of reach', new DatabaseUnavailable(onTheWay('ECONNREFUSED')), true],
    ['the statement took too long: it would there', new DatabaseUnavailable(fromServer('57014')), false],
    ['it is a defect', fromServer('42P01'), false],
  ])('or not, when %s', (_, error, mayAnswer) => {
    expect(isServerFailure(error)).toBe(mayAnswer);
  });
});

it.each(['55P03', '57014'])(
  'a lock that was held too long is known by %s, also as it is reported',
  (code) => {
    expect(waitedTooLong(fromServer(code))).toBe(true);
    expect(waitedTooLong(new DatabaseUnavailable(fromServer(code)))).toBe(true);
    expect(waitedTooLong(fromServer('40P01'))).toBe(false);
  },
);

describe('what an operator reads', () => {
  const URL = 'postgres://user:secret@db.example.com:5432/tanks';

  it.each([
    [fromServer('28P01', 'password authentication failed'), 'percent-encoded, such as %23 for #.'],
    [onTheWay('ECONNREFUSED', 'connect ECONNREFUSED'), 'Check DATABASE_URL.'],
    [onTheWay('DEPTH_ZERO_SELF_SIGNED_CERT'), 'sslrootcert=FILE'],
    [onTheWay('ERR_TLS_CERT_ALTNAME_INVALID'), 'Its certificate is for another host'],
    [new Error('The server does not support SSL connections'), 'sslmode=disable'],
    [fromServer('28000', 'no pg_hba.conf entry for host "::1", no encryption'), 'sslmode=verify-full'],
    [new AggregateError([onTheWay('ECONNREFUSED')]), 'cannot be reached: ECONNREFUSED.'],
  ])('says what to change and never the password: %s', (error, advice) => {
    const text = asUnreachable(URL, error).message;

    expect(text).toContain('The database at db.example.com:5432 cannot be reached');
    expect(text).toContain(advice);
    expect(text).not.toContain('secret');
  });
});
