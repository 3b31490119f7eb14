// What a caller may see while things go wrong: documented statuses, readable problems, always an answer (requests.ts gives up late).
import { expect } from '@jest/globals';
import { verifyCounts } from '../../../src/operator/counts/counts.js';
import { openDataSource, operatorOptions } from '../../../src/platform/database/data-source.js';
import type { Outcome } from './requests.js';
import type { ServiceProcess } from './service-process.js';

/** Every outcome is an answer with one of these statuses; a 503 or 429 says when to come back. */
export function expectOnly(statuses: readonly number[], outcomes: readonly Outcome[]): void {
  expect(outcomes.length).toBeGreaterThan(0);
  const complaints = outcomes.flatMap((outcome) => {
    const complaint = complaintAbout(outcome, statuses);
    return complaint === undefined ? [] : [`${outcome.path}: ${complaint}`];
  });
  expect({ complaints: complaints.length, first: complaints.slice(0, 5) }).toEqual({
    complaints: 0,
    first: [],
  });
}

function complaintAbout(outcome: Outcome, statuses: readonly number[]): string | undefined {
  const { status, headers, body, error, milliseconds } = outcome;
  if (status === undefined) return `${error} after ${Math.round(milliseconds)} ms`;
  if (!statuses.includes(status)) return `status ${status}: ${body.slice(0, 300)}`;
  if (status < 400) return undefined;
  if (headers['content-type'] !== 'application/problem+json; charset=utf-8') return 'not a problem+json';
  const problem = JSON.parse(body) as Record<string, unknown>;
  if (problem['status'] !== status) return `the body of a ${status} says ${String(problem['status'])}`;
  if (typeof problem['code'] !== 'string' || problem['request_id'] !== headers['x-request-id'])
    return `a problem without its code and request id: ${body}`;
  if ((status === 503 || status === 429) && !/^[1-9]\d*$/.test(headers['retry-after'] ?? ''))
    return `a ${status} without Retry-After`;
  return undefined;
}

export function codesOf(outcomes: readonly Outcome[]): string[] {
  const codes = outcomes
    .filter(({ status = 0 }) => status >= 400)
    .map(({ body }) => (JSON.parse(body) as { code: string }).code);
  return [...new Set(codes)].toSorted();
}

export function shareOf(status: number, outcomes: readonly Outcome[]): number {
  return outcomes.filter((outcome) => outcome.status === status).length / outcomes.length;
}

/** No crash, and nothing went wrong that nobody had thought of. */
export async function expectSound(service: ServiceProcess): Promise<void> {
  expect(service.child.isRunning).toBe(true);
  expect(await service.child.stderr()).toBe('');
  const unforeseen = (await service.logLines()).filter(
    ({ level, code }) => level === 'fatal' || (level === 'error' && code === 'internal_error'),
  );
  expect(unforeseen).toEqual([]);
}

/** How many of the counts that are kept are not what counting gives. */
export async function wrongCounts(databaseUrl: string): Promise<number> {
  const dataSource = await openDataSource(operatorOptions(databaseUrl));
  const { total } = await verifyCounts(dataSource);
  await dataSource.destroy();
  return total;
}
