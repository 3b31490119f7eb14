// Who gets the slots for deliveries under way, so that receivers that hang or fail never take those of the ones that answer. Customers
// come first: who has the fewest under way is next, however many endpoints each has. Of a customer's endpoints those that answer come
// first, then new ones, then failing ones, and of equals the one with the fewest. An endpoint's share doubles with each delivery and halves
// with each failure. The last slots are kept for endpoints, the very last for customers, with few under way.

export const SLOTS = 128;
const SLOTS_OF_UNPROVEN = SLOTS / 2;
const KEPT_FOR_ENDPOINTS = SLOTS / 4;
const KEPT_FOR_CUSTOMERS = SLOTS / 8;
const FEW = 4;
const FIRST_SHARE = 4;
const LARGEST_SHARE = 32;

export interface Slots {
  readonly endpointId: string;
  readonly slots: number;
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
  /** Those without one are together as one. */
  readonly customerId: string | null;
  size: number;
  underWay: number;
  rank: Rank;
}

export class DeliverySlots {
  private readonly shares = new Map<string, Share>();

  /** These are all endpoints there are now; of others only what is under way is kept. */
  update(endpoints: readonly { id: string; customerId: string | null; isFailing: boolean }[]): void {
    const known = new Set(endpoints.map(({ id }) => id));
    for (const [id, { underWay }] of this.shares) {
      if (underWay === 0 && !known.has(id)) this.shares.delete(id);
    }
    for (const { id, customerId, isFailing } of endpoints) {
      if (this.shares.has(id)) continue;
      const size = isFailing ? 1 : FIRST_SHARE;
      this.shares.set(id, { customerId, size, underWay: 0, rank: isFailing ? 'failing' : 'unknown' });
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
  rooms(endpointIds: readonly string[]): Slots[] {
    return endpointIds.flatMap((endpointId) => {
      const { size, underWay } = this.shares.get(endpointId) ?? { size: 0, underWay: 0 };
      return size > underWay ? { endpointId, slots: size - underWay } : [];
    });
  }

  /** Who gets how many of the slots that are free now. */
  divide(due: readonly Due[]): Slots[] {
    const busyOf = new Map<string | null, number>(); // by customer
    let [free, unproven] = [SLOTS, SLOTS_OF_UNPROVEN];
    for (const { customerId, underWay, rank } of this.shares.values()) {
      busyOf.set(customerId, (busyOf.get(customerId) ?? 0) + underWay);
      free -= underWay;
      if (rank !== 'answering') unproven -= underWay;
    }
    const askers = due.flatMap(({ endpointId, lines, since }) => {
      const share = this.shares.get(endpointId);
      return share === undefined ? [] : { endpointId, lines, since, share, given: 0 };
    });
    const customerBusy = ({ share }: Asker): number => busyOf.get(share.customerId) ?? 0;
    const mayHave = (asker: Asker): boolean =>
      asker.given < asker.lines &&
      (asker.share.rank === 'answering' || unproven > 0) &&
      (free > KEPT_FOR_ENDPOINTS || busy(asker) < FEW) &&
      (free > KEPT_FOR_CUSTOMERS || customerBusy(asker) < FEW);
    const isBefore = (a: Asker, b: Asker): boolean =>
      (customerBusy(a) - customerBusy(b) ||
        rankOf(a) - rankOf(b) ||
        busy(a) - busy(b) ||
        +a.since - +b.since) < 0;
    for (; free > 0; free -= 1) {
      let next: Asker | undefined;
      for (const asker of askers)
        if (mayHave(asker) && (next === undefined || isBefore(asker, next))) next = asker;
      if (next === undefined) break;
      next.given += 1;
      busyOf.set(next.share.customerId, customerBusy(next) + 1);
      if (next.share.rank !== 'answering') unproven -= 1;
    }
    return askers.flatMap(({ endpointId, given }) => (given > 0 ? { endpointId, slots: given } : []));
  }
}

interface Asker extends Due {
  readonly share: Share;
  given: number;
}

const busy = ({ share, given }: Asker): number => share.underWay + given;
const rankOf = ({ share }: Asker): number => RANKS.indexOf(share.rank);
