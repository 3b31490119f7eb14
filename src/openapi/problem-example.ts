// A problem as a caller would get it, for the document.
import type { Problem } from '../problems/problem.js';
import { problemBody } from '../problems/send-problem.js';

const REQUEST_ID = 'qX3v9Zk2LmNpR7sTuVwY';

export function problemExample(problem: Problem): object {
  return problemBody(problem, REQUEST_ID);
}
