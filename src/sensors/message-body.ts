// The body of a message of a network server. It is handed on as the text that came: that is what is kept of it.
import type { BodyRules } from '../common/bodies/body.interceptor.js';
import { Problem } from '../common/problems/problem.js';
import { CREATED_OBJECT, parseRecord } from '../common/writes/object-body.js';
import { MESSAGE_BOUNDS } from './path.js';

export const MAX_MESSAGE_BYTES = 65_536;

/** Network servers wait for an answer for a few seconds. From the headers to the key, and from the end of the body. */
export const ANSWER_WITHIN_MS = 3_500;

const tooLarge = (detail: string) => new Problem({ status: 413, code: 'body_too_large', detail });

export const MESSAGE_TOO_LARGE = tooLarge(
  `A message may have at most ${MAX_MESSAGE_BYTES} bytes. Nothing was stored.`,
);

export const MESSAGE_BODY: BodyRules = {
  content: 'one JSON object',
  types: ['application/json'],
  acceptedIn: 'Accept-Post',
  maxBytes: () => MAX_MESSAGE_BYTES,
  tooLarge: () => MESSAGE_TOO_LARGE,
  parse: (text) => text,
  answerWithinMs: ANSWER_WITHIN_MS,
};

/** What comes by a source: any JSON. */
export const SOURCE_BODY: BodyRules = {
  ...MESSAGE_BODY,
  content: 'JSON',
  types: ['application/json', 'application/*+json'],
};

/** Beside the message the source that is tested, in a body. */
const MAX_TESTED_BYTES = MAX_MESSAGE_BYTES + 16_384;

export const TESTED_MESSAGE: BodyRules = {
  ...CREATED_OBJECT,
  maxBytes: () => MAX_TESTED_BYTES,
  tooLarge: (most) => tooLarge(`A source and a message may have at most ${most} bytes.`),
  parse: (text) => parseRecord(text, ...MESSAGE_BOUNDS),
};
