// The body of a message of a network server. It is handed on as the text that came: that is what is kept of it.
import type { BodyRules } from '../common/bodies/body.interceptor.js';
import { Problem } from '../common/problems/problem.js';

export const MAX_MESSAGE_BYTES = 65_536;
export const MAX_MESSAGE_BRACKETS = 5_000;

/** Network servers wait for an answer for a few seconds. From the headers to the key, and from the end of the body. */
export const ANSWER_WITHIN_MS = 3_500;

export const MESSAGE_TOO_LARGE = new Problem({
  status: 413,
  code: 'body_too_large',
  detail: `A message may have at most ${MAX_MESSAGE_BYTES} bytes. Nothing was stored.`,
});

export const MESSAGE_BODY: BodyRules = {
  content: 'one JSON object',
  types: ['application/json'],
  acceptedIn: 'Accept-Post',
  maxBytes: () => MAX_MESSAGE_BYTES,
  tooLarge: () => MESSAGE_TOO_LARGE,
  parse: (text) => text,
  answerWithinMs: ANSWER_WITHIN_MS,
};
