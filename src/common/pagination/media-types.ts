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
export type RowFormat = Exclude<MediaType, 'application/json'>;

interface MediaRange {
  readonly type: string;
  readonly subtype: string;
  readonly quality: number;
  readonly place: number;
}

/** Throws a 406 that lists all formats when none of them is wanted. */
export function negotiate(accept = '*/*'): MediaType {
  if (accept === '*/*' || accept === 'application/json') return 'application/json'; // nearly all programs
  const parts = headerParts(accept, ',').filter((part) => part !== '');
  if (parts.length === 0) return 'application/json';
  const ranges = parts.flatMap((part, place) => parseRange(part, place) ?? []);
  const wanted = MEDIA_TYPES.flatMap((mediaType) => preferenceFor(mediaType, ranges) ?? []);
  const [best] = wanted
    .filter(({ quality }) => quality > 0)
    .toSorted((a, b) => b.quality - a.quality || b.exactness - a.exactness || a.place - b.place);
  if (best === undefined) throw notAcceptable(MEDIA_TYPES);
  return best.mediaType;
}

/** Of the ranges that match, the most exact one says how much the type is wanted; of equally exact ones the highest. */
function preferenceFor(mediaType: MediaType, ranges: readonly MediaRange[]) {
  return ranges
    .map((range) => ({ mediaType, exactness: rateMatch(range, mediaType), ...range }))
    .filter(({ exactness }) => exactness > 0)
    .toSorted((a, b) => b.exactness - a.exactness || b.quality - a.quality)[0];
}

/** 0 when it does not match. */
function rateMatch({ type, subtype }: MediaRange, mediaType: MediaType): number {
  if (mediaType === `${type}/${subtype}`) return 3;
  if (subtype !== '*') return 0;
  if (type === '*') return 1;
  return mediaType.startsWith(`${type}/`) ? 2 : 0;
}

const RANGE = /^([^\s/]+)\/([^\s/]+)$/;
const QUALITY = /^q\s*=\s*(0?\.\d+|0\.?|1(?:\.0*)?)$/i;
const IS_QUALITY = /^q\s*=/i;

/** Undefined for what cannot be understood: it asks for nothing. */
function parseRange(text: string, place: number): MediaRange | undefined {
  const [name = '', ...parameters] = headerParts(text, ';');
  const [, type, subtype] = RANGE.exec(name.toLowerCase()) ?? [];
  if (type === undefined || subtype === undefined) return undefined;
  const weight = parameters.find((parameter) => IS_QUALITY.test(parameter));
  const quality = weight === undefined ? 1 : Number(QUALITY.exec(weight)?.[1]);
  return Number.isNaN(quality) ? undefined : { type, subtype, quality, place };
}
