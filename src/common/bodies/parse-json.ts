// Parses a JSON body. How it is nested is found out before, without building anything: a few bytes of brackets make a tree that takes
// long to build, and much memory.
import { badRequest } from '../problems/problem.js';

export const MAX_DEPTH = 20;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPENING_BRACKET = 0x5b;
const CLOSING_BRACKET = 0x5d;
const OPENING_BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;

/** `maxBrackets`: how many arrays and objects it may have. `maxDepth`: how many within each other. */
export function parseJson(text: string, maxBrackets: number, maxDepth = MAX_DEPTH): unknown {
  if (isNestedTooMuch(text, maxBrackets, maxDepth)) {
    const detail = `The body is nested too much: send at most ${maxDepth} levels, and at most ${maxBrackets} arrays and objects in all.`;
    throw badRequest('malformed_body', detail);
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'it cannot be read';
    throw badRequest('malformed_body', `The body is not JSON: ${reason}.`);
  }
}

/** Right for JSON; of anything else only the time that it takes matters. */
export function isNestedTooMuch(text: string, maxBrackets: number, maxDepth = MAX_DEPTH): boolean {
  let depth = 0;
  let brackets = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = endOfString(text, at + 1);
    } else if (code === OPENING_BRACE || code === OPENING_BRACKET) {
      depth += 1;
      brackets += 1;
      if (depth > maxDepth || brackets > maxBrackets) return true;
    } else if (code === CLOSING_BRACE || code === CLOSING_BRACKET) {
      depth -= 1;
    }
  }
  return false;
}

/** Where the next quote is that no backslash escapes. */
function endOfString(text: string, from: number): number {
  for (let end = text.indexOf('"', from); end >= 0; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(end - 1 - backslashes) === BACKSLASH) backslashes += 1;
    if (backslashes % 2 === 0) return end;
  }
  return text.length;
}
