import { expect, it } from '@jest/globals';
import type { Problem } from '../problems/problem.js';
import { BodyBudget } from './body-budget.js';

const BODY = 100;
const codeOf = (problem: Problem | undefined) => problem?.code;

it('a key holds an eighth of it at most, and others go on', () => {
  const budget = new BodyBudget(16 * BODY, BODY);
  const shares = [budget.share('greedy'), budget.share('greedy')];
  expect(shares.map((share) => share.take(BODY))).toEqual([undefined, undefined]);
  const third = budget.share('greedy');

  expect(codeOf(third.take(1))).toBe('overloaded');
  expect(budget.share('other').take(BODY)).toBeUndefined();

  shares[0]?.release();
  expect(third.take(BODY)).toBeUndefined();
  expect(codeOf(third.take(1))).toBe('overloaded');
});

it('one body always has room for its key', () => {
  const budget = new BodyBudget(2 * BODY, BODY);
  const share = budget.share('a');

  expect(share.take(BODY)).toBeUndefined();
  expect(codeOf(budget.share('a').take(1))).toBe('overloaded');
  expect(budget.share('b').take(BODY)).toBeUndefined();
  expect(codeOf(budget.share('c').take(1))).toBe('overloaded');
});
