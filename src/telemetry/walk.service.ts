// The walk through all readings: each page goes on after the last reading of the one before, so nothing that others write moves its place.
// A large page is read in parts, each of which is written while the database looks for the next: one after the other took twice as long.
import { Injectable } from '@nestjs/common';
import { setImmediate } from 'node:timers/promises';
import { resolveOwner } from '../common/auth/caller.js';
import { isoFromPostgres } from '../common/datetime/datetime.js';
import { WalkPage } from '../common/pagination/page.js';
import { Reads, type Statement } from '../platform/database/reads.js';
import { TelemetryRowResponse, toTelemetryRowResponse } from './dto/telemetry.response.js';
import { writeReached, type Reached, type WalkQuery } from './dto/walk.query.js';

const WALK: Statement = {
  name: 'walk_readings',
  text: 'select tank_key, tank_id, moments, fills from walk_readings($1, $2, $3, $4, $5, $6)',
};

interface WalkedRow {
  readonly tank_key: number;
  readonly tank_id: string;
  /** With commas between them. */
  readonly moments: string;
  readonly fills: string;
}

interface WalkedTank {
  readonly tankKey: number;
  readonly tankId: string;
  readonly moments: readonly string[];
  readonly fills: readonly string[];
}

const READINGS_OF_PART = 2_500;

@Injectable()
export class WalkService {
  constructor(private readonly reads: Reads) {}

  async read(query: WalkQuery, boundTo: string | null): Promise<WalkPage<TelemetryRowResponse>> {
    const owner = resolveOwner(query.owner_id, boundTo);
    const isText = query.rowFormat !== undefined && query.rowFormat !== 'text/csv';
    const page = { objects: [] as TelemetryRowResponse[], lines: '' };
    let left = query.size;
    let part = this.readPart(query, owner, query.reached ?? { tankKey: 0, at: 0 }, left);
    for (;;) {
      const { tanks, isLast } = await part;
      left -= tanks.reduce((sum, { moments }) => sum + moments.length, 0);
      const reached = findReached(tanks);
      const goesOn = !isLast && left > 0 && reached !== undefined;
      if (goesOn) {
        part = this.readPart(query, owner, reached, left);
        await setImmediate(); // by then it is sent
      }
      if (isText) page.lines += writeNdjsonRows(tanks);
      else page.objects.push(...tanks.flatMap(toRows));
      const next = isLast || reached === undefined ? null : writeReached(reached);
      if (!goesOn) return new WalkPage('readings', TelemetryRowResponse, page, next, query);
    }
  }

  private async readPart(
    { since, until }: WalkQuery,
    owner: string | null,
    { tankKey, at }: Reached,
    left: number,
  ): Promise<{ tanks: WalkedTank[]; isLast: boolean }> {
    const size = Math.min(left, READINGS_OF_PART);
    // One more than wanted tells whether there are any after it.
    const values = [owner, tankKey, new Date(at).toISOString(), since, until, size + 1];
    return takeFirst(await this.reads.rows<WalkedRow>(WALK, values, true), size);
  }
}

/** The first so many readings, and whether there are no more. */
function takeFirst(rows: readonly WalkedRow[], size: number): { tanks: WalkedTank[]; isLast: boolean } {
  const tanks: WalkedTank[] = [];
  let left = size;
  for (const { tank_key: tankKey, tank_id: tankId, ...row } of rows) {
    if (left === 0) return { tanks, isLast: false };
    const all = row.moments.split(',');
    const moments = all.slice(0, left);
    tanks.push({ tankKey, tankId, moments, fills: row.fills.split(',', left) });
    if (moments.length < all.length) return { tanks, isLast: false };
    left -= moments.length;
  }
  return { tanks, isLast: true };
}

function findReached(tanks: readonly WalkedTank[]): Reached | undefined {
  const last = tanks.at(-1);
  const moment = last?.moments.at(-1);
  if (last === undefined || moment === undefined) return undefined;
  return { tankKey: last.tankKey, at: Date.parse(isoFromPostgres(moment)) };
}

function toRows({ tankId, moments, fills }: WalkedTank): TelemetryRowResponse[] {
  return moments.map((created_at, i) =>
    toTelemetryRowResponse(tankId, { created_at, fill_percentage: Number(fills[i]) }),
  );
}

/** As JSON.stringify() would write the objects, in a third of the time. */
function writeNdjsonRows(tanks: readonly WalkedTank[]): string {
  let text = '';
  for (const { tankId, moments, fills } of tanks) {
    const start = `{"object":"telemetry","tank_id":${JSON.stringify(tankId)},"created_at":"`;
    moments.forEach((moment, i) => {
      text += `${start}${isoFromPostgres(moment)}","fill_percentage":${Number(fills[i])}}\n`;
    });
  }
  return text;
}
