// Where a value is in what a sender sends: names and places in arrays, joined by dots. One language for sources and profiles; no pattern, no code.
import { isNestedTooMuch } from '../common/bodies/parse-json.js';
import { isRecord } from '../common/bodies/record.js';
import { fault, quote, type Fault } from '../common/validation/fault.js';
import { textFault } from '../common/validation/values.js';

export const MAX_PATH = 200;
const MAX_STEPS = 20;

/** As many arrays and objects as a message may have; a text that is JSON has the same bounds. */
export const MAX_MESSAGE_BRACKETS = 5_000;
/** The most levels of a message: a path to the messages, a path within one of them, and the levels of an envelope. */
export const MAX_MESSAGE_DEPTH = 2 * MAX_STEPS + 5;
export const MESSAGE_BOUNDS = [MAX_MESSAGE_BRACKETS, MAX_MESSAGE_DEPTH] as const;

/** A name or a place; or the first element of an array whose field has this value. */
type Step = string | { readonly field: string; readonly value: string };

/** `[2]` or `[name=Tank 1]` at the end of a step. Any other bracket belongs to the name. */
const AT_PLACE = /^\[(0|[1-9]\d*)\](?=[.[]|$)/u;
const WITH_FIELD = /^\[((?:[^\\[\]=]|\\.)+)=((?:[^\\\]]|\\.)*)\](?=[.[]|$)/su;

function bracketAt(path: string, at: number): { readonly length: number; readonly step: Step } | undefined {
  const rest = path.slice(at);
  const [placed, place] = AT_PLACE.exec(rest) ?? [];
  if (placed !== undefined && place !== undefined) return { length: placed.length, step: place };
  const [named, field = '', value = ''] = WITH_FIELD.exec(rest) ?? [];
  if (named === undefined) return undefined;
  return { length: named.length, step: { field: unescaped(field), value: unescaped(value) } };
}

const PLACE = /^(?:0|[1-9]\d*)$/;

const unescaped = (text: string): string => text.replaceAll(/\\(.)/gsu, '$1');

/** A step that is empty is an empty text. */
function parsePath(path: string): Step[] {
  const steps: Step[] = [];
  let name: string | undefined = ''; // undefined after a bracket
  for (let at = 0; at < path.length; at += 1) {
    const character = path.charAt(at);
    const bracket = character === '[' ? bracketAt(path, at) : undefined;
    if (bracket !== undefined) {
      if (name !== undefined && name !== '') steps.push(name);
      steps.push(bracket.step);
      name = undefined;
      at += bracket.length - 1;
    } else if (character === '.') {
      if (name !== undefined) steps.push(name);
      name = '';
    } else {
      const isEscape = character === '\\' && at + 1 < path.length;
      if (isEscape) at += 1;
      name = (name ?? '') + path.charAt(at);
    }
  }
  return name === undefined ? steps : [...steps, name];
}

/** What is wrong with a path that was sent. */
export function pathFault(value: unknown, min: 0 | 1 = 1): Fault | undefined {
  const found = textFault(value, { min, max: MAX_PATH });
  if (found !== undefined || typeof value !== 'string' || value === '') return found;
  const steps = parsePath(value);
  if (steps.includes('')) return fault('must be keys joined by dots, none of them empty', quote(value));
  if (value.replaceAll('\\\\', '').endsWith('\\'))
    return fault('must have a character after its last backslash', quote(value));
  return steps.length > MAX_STEPS ? fault(`has more than ${MAX_STEPS} steps`, quote(value)) : undefined;
}

/** So that a path is not taken apart again for every entry of every message. */
const MAX_KNOWN_PATHS = 2_000;
const knownPaths = new Map<string, readonly Step[]>();

function stepsOf(path: string): readonly Step[] {
  const known = knownPaths.get(path);
  if (known !== undefined) return known;
  if (knownPaths.size >= MAX_KNOWN_PATHS) knownPaths.clear();
  const steps = parsePath(path);
  knownPaths.set(path, steps);
  return steps;
}

/** Own keys only. Undefined when there is no such value. */
export function valueAt(from: unknown, path: string): unknown {
  return walk(from, path).value;
}

/** Does the same as valueAt(), but a text that is JSON becomes the array or object in it. */
export function contentAt(from: unknown, path: string): unknown {
  const { value, holder } = walk(from, path);
  return contentOf(value, holder);
}

function walk(from: unknown, path: string): { value: unknown; holder: unknown } {
  let holder: unknown;
  let value = from;
  for (const step of stepsOf(path)) {
    holder = contentOf(value, holder);
    value = typeof step === 'string' ? readMember(holder, step) : elementWith(holder, step);
    if (value === undefined) break;
  }
  return { value, holder };
}

/** Remembers, for each array and object, what the texts in it hold: a message's texts are parsed once, however many paths lead into them. */
const contents = new WeakMap<object, Map<string, unknown>>();

/** The array or object in a text that is JSON; anything else is itself. `holder`: the array or object that the value is in. */
export function contentOf(value: unknown, holder: unknown): unknown {
  if (typeof value !== 'string') return value;
  if (typeof holder !== 'object' || holder === null) return jsonIn(value) ?? value;
  const known = contents.get(holder) ?? new Map<string, unknown>();
  contents.set(holder, known);
  if (!known.has(value)) known.set(value, jsonIn(value) ?? value);
  return known.get(value);
}

function readMember(holder: unknown, name: string): unknown {
  if (Array.isArray(holder))
    return PLACE.test(name) ? (holder as readonly unknown[])[Number(name)] : undefined;
  return isRecord(holder) && Object.hasOwn(holder, name) ? holder[name] : undefined;
}

/** Remembers the first element of an array for each field and value: an array is gone through once, however many paths choose from it. */
const elements = new WeakMap<readonly unknown[], ReadonlyMap<string, ReadonlyMap<string, unknown>>>();

function elementWith(holder: unknown, { field, value }: Exclude<Step, string>): unknown {
  if (!Array.isArray(holder)) return undefined;
  const known = elements.get(holder) ?? elementsByField(holder);
  elements.set(holder, known);
  return known.get(field)?.get(value);
}

function elementsByField(array: readonly unknown[]): ReadonlyMap<string, ReadonlyMap<string, unknown>> {
  const found = new Map<string, Map<string, unknown>>();
  for (const element of array.filter(isRecord)) {
    for (const [field, value] of Object.entries(element)) {
      if (typeof value !== 'string' && typeof value !== 'number') continue;
      const ofField = found.get(field) ?? new Map<string, unknown>();
      found.set(field, ofField);
      if (!ofField.has(String(value))) ofField.set(String(value), element);
    }
  }
  return found;
}

/** The object or array that a text is as JSON; undefined when it is none. */
export function jsonIn(text: string): object | undefined {
  if (!/^\s*[[{]/.test(text) || isNestedTooMuch(text, ...MESSAGE_BOUNDS)) return undefined;
  try {
    return JSON.parse(text) as object;
  } catch {
    return undefined;
  }
}
