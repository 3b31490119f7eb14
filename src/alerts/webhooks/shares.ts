// How many deliveries each endpoint may have under way, so that receivers that hang or fail never take the places of those that answer.
// An endpoint's share doubles with each delivery and halves with each failure. The last places are kept for endpoints with few under
// way. New endpoints, and after them failing ones, share half of all places.

export const PLACES = 128;
const PLACES_OF_UNPROVEN = PLACES / 2;
const KEPT_PLACES = PLACES / 4;
const FIRST_SHARE = 4;
const LARGEST_SHARE = 32;

/** One claim: how many more each endpoint may have, and how many may be claimed in all. */
export interface Turn {
  readonly rooms: readonly {
    readonly endpointId: string;
    readonly underWay: number;
    readonly room: number;
  }[];
  readonly most: number;
  /** As many of `most` are only for endpoints with no more than a few under way. */
  readonly kept: number;
  readonly few: number;
}

/** By how the last delivery to an endpoint ended; in the order of their turns. */
export const STANDINGS = ['answering', 'unknown', 'failing'] as const;
type Standing = (typeof STANDINGS)[number];

interface Share {
  size: number;
  underWay: number;
  standing: Standing;
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
      this.shares.set(id, { size, underWay: 0, standing: isFailing ? 'failing' : 'unknown' });
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
    share.standing = delivered ? 'answering' : 'failing';
    share.size = delivered
      ? Math.min(share.size * 2, LARGEST_SHARE)
      : Math.max(Math.floor(share.size / 2), 1);
  }

  /** What may be claimed now of endpoints with this standing. */
  turn(endpointIds: readonly string[], standing: Standing): Turn {
    const free = PLACES - this.underWayOf(() => true);
    const unproven = this.underWayOf((share) => share.standing !== 'answering');
    const rooms = endpointIds.flatMap((endpointId) => {
      const share = this.shares.get(endpointId);
      if (share === undefined || share.standing !== standing) return [];
      const room = share.size - share.underWay;
      return room > 0 ? [{ endpointId, underWay: share.underWay, room }] : [];
    });
    const most = standing === 'answering' ? free : Math.min(free, PLACES_OF_UNPROVEN - unproven);
    return { rooms, most, kept: KEPT_PLACES - (free - most), few: FIRST_SHARE };
  }

  private underWayOf(isMeant: (share: Share) => boolean): number {
    let sum = 0;
    for (const share of this.shares.values()) if (isMeant(share)) sum += share.underWay;
    return sum;
  }
}
