// What became of a file's lines.
import type { SharedDevices } from './warnings.js';

export interface Outcome {
  inserted: number;
  updated: number;
  /** Was live, is deleted now. */
  deleted: number;
  /** The same is stored already. */
  unchanged: number;
  /** Replaced by a later line of the file about the same object or reading. */
  superseded: number;
  refused: number;
}

export const KINDS = ['customers', 'tanks', 'telemetry'] as const;
export type Kind = (typeof KINDS)[number];

export interface ImportReport extends Record<Kind, Outcome> {
  /** The file's lines that are not blank; of CSV, its records. */
  lines: number;
  refused: number;
  /** Refused lines whose kind is not known. */
  unreadable: number;
  /** How many lines were refused for each reason, the most frequent first. */
  reasons: { reason: string; lines: number }[];
  shared_devices: SharedDevices;
}

export function emptyOutcome(): Outcome {
  return { inserted: 0, updated: 0, deleted: 0, unchanged: 0, superseded: 0, refused: 0 };
}
