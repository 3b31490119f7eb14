// How many deliveries each endpoint may have under way, so that receivers that hang or fail never take the places of those that answer.
// An endpoint's share doubles with each delivery and halves with each failure. The last places are kept for endpoints with few under
// way. New endpoints, and after them failing ones, share half of all places.

export const PLACES = 128;
const PLACES_OF_UNPROVEN = PLACES / 2;
const KEPT_PLACES = PLACES / 4;
const FIRST_SHARE = 4;
const LARGEST_SHARE = 32;

export interface Places {
  readonly endpointId: string;
  readonly places: number;
}

/** What an endpoint has to send: lines of deliveries, the oldest of them since then. */
export interface Due {
  readonly endpointId: string;
  readonly lines: number;
  readonly since: Date;
}

/** By how the last delivery to an endpoint ended; in the order of their turns. */
const RANKS = ['answering', 'unknown', 'failing'] as const;
type Rank = (typeof RANKS)[number];

interface Share {
  size: number;
  underWay: number;
  rank: Rank;
}

export class Shares {
  private readonly shares = new Map<string, Share>();

  /** These are all endpoints there are now; of others only what is under way is kept. */
  update(endpoints: readonly { readonly id: string; readonly isFailing: boolean }[]): void {
    const known = new Set(endpoints.map(({ id }) => id));
    for (const [id, { underWay }] of this.shares) {
      if (underWay === 0 && !known.has(id)) this.shares.delete(id);
    }
    for (const { id, isFailing } of endpoints) {
      if (this.shares.has(id)) continue;
      const size = isFailing ? 1 : FIRST_SHARE;
      this.shares.set(id, { size, underWay: 0, rank: isFailing ? 'failing' : 'unknown' });
    }
  }

  begin(endpointId: string): void {
    const share = this.shares.get(endpointId);
    if (share !== undefined) share.underWay += 1;
  }

  end(endpointId: string, delivered: boolean): void {
    const share = this.shares.get(endpointId);
    if (share === undefined) return;
    share.underWay -= 1;
    share.rank = delivered ? 'answering' : 'failing';
    share.size = delivered
      ? Math.min(share.size * 2, LARGEST_SHARE)
      : Math.max(Math.floor(share.size / 2), 1);
  }

  /** How many more each of these may have, whatever others have. */
  rooms(endpointIds: readonly string[]): Places[] {
    return endpointIds.flatMap((endpointId) => {
      const { size, underWay } = this.shares.get(endpointId) ?? { size: 0, underWay: 0 };
      return size > underWay ? { endpointId, places: size - underWay } : [];
    });
  }

  /** Who gets how many of the places that are free now: those that answer first, and of equals the one with the fewest. */
  divide(due: readonly Due[]): Places[] {
    let free = PLACES - this.underWayOf(() => true);
    let unproven = PLACES_OF_UNPROVEN - this.underWayOf(({ rank }) => rank !== 'answering');
    const given = new Map<string, number>();
    for (const rank of RANKS) {
      const most = Math.max(rank === 'answering' ? free : Math.min(free, unproven), 0);
      const ofAll = most - (KEPT_PLACES - (free - most));
      const next = this.inTurn(due.filter(({ endpointId }) => this.shares.get(endpointId)?.rank === rank))
        .filter(({ busy }, place) => place < ofAll || busy <= FIRST_SHARE)
        .slice(0, most);
      for (const { endpointId } of next) given.set(endpointId, (given.get(endpointId) ?? 0) + 1);
      free -= next.length;
      if (rank !== 'answering') unproven -= next.length;
    }
    return [...given].map(([endpointId, places]) => ({ endpointId, places }));
  }

  /** One entry for each line; `busy`: how many its endpoint would have under way with it. */
  private inTurn(due: readonly Due[]): { endpointId: string; busy: number }[] {
    return due
      .flatMap(({ endpointId, lines, since }) => {
        const underWay = this.shares.get(endpointId)?.underWay ?? 0;
        return Array.from({ length: lines }, (_, n) => ({ endpointId, busy: underWay + n + 1, since }));
      })
      .toSorted((a, b) => a.busy - b.busy || a.since.getTime() - b.since.getTime());
  }

  private underWayOf(isMeant: (share: Share) => boolean): number {
    let sum = 0;
    for (const share of this.shares.values()) if (isMeant(share)) sum += share.underWay;
    return sum;
  }
}
