// The walk through all readings: each page goes on after the last reading of the one before, so nothing that others write moves its place.
import { Injectable } from '@nestjs/common';
import { ownerOf } from '../common/auth/whose.js';
import { WalkPage } from '../common/pagination/walk-page.js';
import { Reads, type Statement } from '../platform/database/reads.js';
import { TelemetryRowResponse } from './dto/telemetry.response.js';
import { writeReached, type WalkQuery } from './dto/walk.query.js';

const WALK: Statement = {
  name: 'walk_readings',
  text: `select tank_key, tank_id, to_json(moments) as moments, to_json(fills) as fills
         from walk_readings($1, $2, $3, $4, $5, $6)`,
};

interface WalkedTank {
  readonly tank_key: number;
  readonly tank_id: string;
  /** In milliseconds since 1970. */
  readonly moments: readonly number[];
  readonly fills: readonly number[];
}

@Injectable()
export class WalkService {
  constructor(private readonly reads: Reads) {}

  async read(query: WalkQuery, boundTo: string | null): Promise<WalkPage<TelemetryRowResponse>> {
    const { since, until, size, reached = { tankKey: 0, at: 0 } } = query;
    const after = new Date(reached.at).toISOString();
    // One more than asked for tells whether there are any after it.
    const values = [ownerOf(query.owner_id, boundTo), reached.tankKey, after, since, until, size + 1];
    const tanks = await this.reads.rows<WalkedTank>(WALK, values, true);
    const all = tanks.flatMap(readingsOf);
    const last = all.length > size ? all[size - 1] : undefined;
    const tankKey = tanks.find(({ tank_id }) => tank_id === last?.tank_id)?.tank_key;
    const next =
      last === undefined || tankKey === undefined
        ? null
        : writeReached({ tankKey, at: Date.parse(last.created_at) });
    return new WalkPage('readings', TelemetryRowResponse, all.slice(0, size), next, query);
  }
}

function readingsOf({ tank_id, moments, fills }: WalkedTank): TelemetryRowResponse[] {
  return moments.map((at, i) => ({
    object: 'telemetry',
    tank_id,
    created_at: new Date(at).toISOString(),
    fill_percentage: fills[i] ?? 0,
  }));
}
