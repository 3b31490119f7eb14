// How a tank is written: what it depends on beside itself (a live owner, a device that no other live tank has), and its statements.
import { isStorable } from '../database/text.js';
import { fault } from '../validation/fault.js';
import { selectList, type JsonRecord } from '../fields/resource.js';
import type { Change, Found, Values, Wish } from '../manage/decide.js';
import type { Written } from '../manage/object-writes.js';
import { deviceTaken } from '../manage/problems.js';
import { quote } from '../problems/quote.js';
import { deviceKey } from './device-key.js';
import { showTank, type TankRow } from './dto/tank.response.js';
import { TANK } from './tank.fields.js';

type ShownTank = TankRow & JsonRecord;

type FoundTank = ShownTank &
  Found & {
    /** Whether the owner that was sent is a live customer that the key sees. */
    has_owner: boolean;
    /** Another live tank with the device that was sent; one that the key sees, if there is one. */
    holder_id: string | null;
    holder_is_visible: boolean | null;
  };

const COLUMNS = selectList(TANK);

/** The id, the owner and the device that were sent, the customer the key is bound to. Another's tank holds its device even under this id. */
const FIND = `
  select ${COLUMNS}, tank.xmin::text as version,
         exists (select from customers where id = $2 and not deleted and ($4::text is null or id = $4)) as has_owner,
         holder.id as holder_id, holder.is_visible as holder_is_visible
  from (select) as one
  left join tanks tank on tank.id = $1
  left join lateral (
    select other.id, ($4::text is null or other.owner_id = $4) as is_visible
    from tanks other
    where $3::text <> '' and device_key(other.assigned_device_id) = device_key($3) and not other.deleted
      and (other.id is distinct from $1 or other.owner_id <> $4)
    order by is_visible desc, other.id limit 1
  ) holder on true`;

const WRITE = `select ${COLUMNS} from write_tank($1, $2, $3, $4, $5) tank`;

export const TANK_WRITES: Written<ShownTank, FoundTank> = {
  resource: TANK,
  show: showTank,
  isVisible: ({ owner_id }, boundTo) => boundTo === null || owner_id === boundTo,
  mayAdd: () => true,
  faults: ({ has_owner: hasOwner }, wish) => {
    const owner = sentText(wish, 'owner_id');
    if (owner === null || hasOwner) return [];
    return [{ pointer: '/owner_id', ...fault('unknown owner', quote(owner)) }];
  },
  conflict: ({ holder_id: holder, holder_is_visible: isVisible }, before, next) =>
    newDevice(before, next) === null || holder === null
      ? undefined
      : deviceTaken(isVisible === true ? holder : null),
  find: { name: 'tank_to_write', text: FIND },
  findValues: (wish) => [
    wish.id !== undefined && isStorable(wish.id) ? wish.id : null,
    sentText(wish, 'owner_id'),
    sentText(wish, 'assigned_device_id'),
    wish.boundTo,
  ],
  write: { name: 'write_tank', text: WRITE },
  writeValues: ({ before, next }: Change, wish) => [sentText(wish, 'owner_id'), newDevice(before, next)],
};

/** Null when it was not sent. */
function sentText({ sent }: Wish, name: 'owner_id' | 'assigned_device_id'): string | null {
  const value = sent?.values[name];
  return typeof value === 'string' ? value : null;
}

/** A device that the tank gets; null when it has none, or keeps the one it has. */
function newDevice(before: Values | undefined, next: Values | undefined): string | null {
  const device = next?.['assigned_device_id'];
  if (typeof device !== 'string' || device === '') return null;
  const had = before?.['assigned_device_id'];
  return typeof had === 'string' && deviceKey(had) === deviceKey(device) ? null : device;
}
