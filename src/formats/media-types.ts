// The formats that lists and series come in, and which of them an Accept header asks for (RFC 9110, section 12.5.1).
import { notAcceptable } from '../problems/problem.js';
import { headerParts } from './header-parts.js';

/** In the order in which they are offered to a caller who takes anything. */
export const MEDIA_TYPES = [
  'application/json',
  'text/csv',
  'application/x-ndjson',
  'application/jsonl',
] as const;
export type MediaType = (typeof MEDIA_TYPES)[number];

interface MediaRange {
  readonly type: string;
  readonly subtype: string;
  readonly quality: number;
}

/** How much a caller wants one of our formats, and which of its words say so. */
interface Wish {
  readonly quality: number;
  readonly exactness: number;
  readonly place: number;
}

/** Throws what lists all there are when none of them is wanted. */
export function negotiate(accept = '*/*'): MediaType {
  if (accept === '*/*' || accept === 'application/json') return 'application/json'; // nearly all programs
  const parts = headerParts(accept, ',').filter((part) => part !== '');
  if (parts.length === 0) return 'application/json';
  const ranges = parts.map(parseRange);
  let best: { readonly mediaType: MediaType; readonly wish: Wish } | undefined;
  for (const mediaType of MEDIA_TYPES) {
    const wish = wishFor(mediaType, ranges);
    if (wish === undefined || wish.quality === 0) continue;
    if (best === undefined || isStronger(wish, best.wish)) best = { mediaType, wish };
  }
  if (best === undefined) throw notAcceptable(MEDIA_TYPES);
  return best.mediaType;
}

/** Of the ranges that match, the most exact one says how much the type is wanted; of equally exact ones the highest. */
function wishFor(mediaType: MediaType, ranges: readonly (MediaRange | undefined)[]): Wish | undefined {
  let found: Wish | undefined;
  for (const [place, range] of ranges.entries()) {
    const exactness = range === undefined ? 0 : exactnessOf(range, mediaType);
    if (range === undefined || exactness === 0) continue;
    const { quality } = range;
    const isBetter =
      found === undefined ||
      exactness > found.exactness ||
      (exactness === found.exactness && quality > found.quality);
    if (isBetter) found = { quality, exactness, place };
  }
  return found;
}

/** 0 when it does not match. */
function exactnessOf({ type, subtype }: MediaRange, mediaType: MediaType): number {
  if (mediaType === `${type}/${subtype}`) return 3;
  if (subtype !== '*') return 0;
  if (type === '*') return 1;
  return mediaType.startsWith(`${type}/`) ? 2 : 0;
}

function isStronger(a: Wish, b: Wish): boolean {
  if (a.quality !== b.quality) return a.quality > b.quality;
  if (a.exactness !== b.exactness) return a.exactness > b.exactness;
  return a.place < b.place;
}

const RANGE = /^([^\s/]+)\/([^\s/]+)$/;
const QUALITY = /^q\s*=\s*(0?\.\d+|0\.?|1(?:\.0*)?)$/i;
const IS_QUALITY = /^q\s*=/i;

/** Undefined when it is none: what cannot be understood asks for nothing. */
function parseRange(text: string): MediaRange | undefined {
  const [name = '', ...parameters] = headerParts(text, ';');
  const [, type, subtype] = RANGE.exec(name.toLowerCase()) ?? [];
  if (type === undefined || subtype === undefined) return undefined;
  const weight = parameters.find((parameter) => IS_QUALITY.test(parameter));
  const quality = weight === undefined ? 1 : Number(QUALITY.exec(weight)?.[1]);
  return Number.isNaN(quality) ? undefined : { type, subtype, quality };
}
