// The whole body of an error, as a test expects it.
import { expect } from '@jest/globals';
import { STATUS_CODES } from 'node:http';
import type { ParameterError } from 'tank-monitoring-client';

export function problem(status: number, code: string, detail: string): object {
  return {
    type: 'about:blank',
    title: STATUS_CODES[status],
    status,
    detail,
    code,
    request_id: expect.stringMatching(/^[\w-]{36}$/),
  };
}

export function parameterProblem(...errors: readonly ParameterError[]): object {
  const names = [...new Set(errors.map(({ parameter }) => parameter))].join(', ');
  const these = errors.length === 1 ? 'this parameter' : 'these parameters';
  return { ...problem(400, 'invalid_parameters', `Fix ${these} and try again: ${names}.`), errors };
}
