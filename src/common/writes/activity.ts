// Who changed what: recorded in the transaction that makes the change, read by src/activity.
import { NUMBERS } from '../../rules.js';

export const ACTIVITY_TYPES = [
  'customer',
  'tank',
  'sensor',
  'sensor_profile',
  'key',
  'webhook_endpoint',
  'recipient',
  'user',
  'run',
  'source',
] as const;
export type ActivityType = (typeof ACTIVITY_TYPES)[number];

/** By the field's name, within other objects by its path: `location.city`. */
export type Changes = Readonly<Record<string, { readonly from: unknown; readonly to: unknown }>>;

export interface Activity {
  readonly type: ActivityType;
  /** A sensor's is its tank's id, a key's its prefix. */
  readonly object_id: string;
  /** After the change, of a deleted one before it. A sensor has none. */
  readonly object_name: string | null;
  /** The customer whose keys see it: the owner after the change. */
  readonly owner_id: string | null;
  readonly operation: string;
  /** Only of an operation that leaves the object there: none, unless given. */
  readonly changes?: Changes;
}

/** Who makes a change. */
export interface Actor {
  readonly kind: 'key' | 'user' | 'command' | 'link';
  /** A key's prefix, a user's id, or what the command or link does: `keys create`, `confirm`. */
  readonly actor: string;
  /** Of a key or a user. */
  readonly name?: string | null;
  /** Of a user. */
  readonly email?: string | null;
  readonly requestId: string | null;
}

/** As it is typed: `keys create`. */
export function byCommand(actor: string): Actor {
  return { kind: 'command', actor, requestId: null };
}

/** An EntityManager, or a client of pg. */
interface Connection {
  query(text: string, values: unknown[]): Promise<unknown>;
}

/** On the connection of the transaction that makes the changes, as late in it as can be. */
export async function recordActivity(
  connection: Connection,
  actor: Actor,
  entries: readonly Activity[],
): Promise<void> {
  if (entries.length === 0) return;
  const cutShort = entries.map((entry) => ({ ...entry, changes: cutChanges(entry.changes ?? {}) }));
  await connection.query('select record_activity($1, $2)', [JSON.stringify(cutShort), JSON.stringify(actor)]);
}

/**
 * As many bytes of JSON as an entry may have: with long values cut, else with all of them cut short, else with as many fields as there is
 * room for. `…` then has the number of the others.
 */
function cutChanges(changes: Changes): Changes {
  const cut = withValuesOf(changes, NUMBERS.ACTIVITY_VALUE);
  if (bytesOf(cut) <= NUMBERS.ACTIVITY_CHANGES_BYTES) return cut;
  const short = Object.entries(withValuesOf(changes, NUMBERS.ACTIVITY_SHORT_VALUE));
  let room = NUMBERS.ACTIVITY_CHANGES_BYTES - LEFT_OUT_BYTES;
  const more = short.findIndex((field) => (room -= bytesOf(field)) < 0);
  if (more === -1) return Object.fromEntries(short);
  return { ...Object.fromEntries(short.slice(0, more)), '…': { from: null, to: short.length - more } };
}

/** More than the count of fields left out takes. */
const LEFT_OUT_BYTES = 100;

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

function withValuesOf(changes: Changes, most: number): Changes {
  return Object.fromEntries(
    Object.entries(changes).map(([name, { from, to }]) => [
      name,
      { from: cutValue(from, most), to: cutValue(to, most) },
    ]),
  );
}

/** The first characters of a long value, of one that is no text those of its JSON, and `…`. */
function cutValue(value: unknown, most: number): unknown {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  if (text.length <= most) return value;
  const characters = Array.from(text.slice(0, 2 * (most + 1)));
  return characters.length <= most ? value : `${characters.slice(0, most).join('')}…`;
}

/** Fields that follow from others, or from the change itself. */
const FOLLOWING: ReadonlySet<string> = new Set(['updated_at', 'tank_count']);

/** Between an object as it was shown and as it is shown now. */
export function changesBetween(before: object, after: object): Changes {
  const [was, is] = [flat(before), flat(after)];
  const names = new Set([...was.keys(), ...is.keys()]);
  const changes = [...names].map(
    (name) => [name, { from: was.get(name) ?? null, to: is.get(name) ?? null }] as const,
  );
  return Object.fromEntries(
    changes.filter(
      ([name, { from, to }]) => !FOLLOWING.has(name) && JSON.stringify(from) !== JSON.stringify(to),
    ),
  );
}

/** Arrays and times are values. */
function flat(object: object, outer = ''): Map<string, unknown> {
  const entries = Object.entries(object).flatMap(([name, value]: [string, unknown]): [string, unknown][] =>
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date)
      ? [...flat(value, `${outer}${name}.`)]
      : [[outer + name, value]],
  );
  return new Map(entries);
}
