// An entry of the activity as the API shows it, and the parameters of the list.
import { isoFromPostgres } from '../../common/datetime/datetime.js';
import {
  ApiField,
  ApiInstant,
  ApiObjectName,
  ApiOptional,
  TEXT_OR_NULL,
} from '../../common/openapi/properties.js';
import { ListQuery } from '../../common/pagination/dto/list.query.js';
import { createListResponse } from '../../common/pagination/dto/list.response.js';
import { IsFilled, IsOneOf } from '../../common/validation/parameter-rules.js';
import { ACTIVITY_TYPES, type ActivityType, type Actor, type Changes } from '../../common/writes/activity.js';

export class ActivityQuery extends ListQuery {
  @ApiOptional(
    'Only changes of objects of this type.',
    { enum: ACTIVITY_TYPES, enumName: 'ActivityType' },
    IsOneOf(ACTIVITY_TYPES),
  )
  type?: ActivityType;

  @ApiOptional(
    "Only changes of the object with this id; a sensor has its tank's, a key its prefix.",
    { minLength: 1 },
    IsFilled(),
  )
  object_id?: string;

  @ApiOptional('Only changes of this kind, such as `delete`.', { minLength: 1 }, IsFilled())
  operation?: string;

  @ApiOptional(
    'Only changes by the key with this prefix, the user with this id, or this command or link, such as `import`.',
    { minLength: 1 },
    IsFilled(),
  )
  actor?: string;
}

export class ActorResponse {
  @ApiField('A key, a user, a command of the operator, or a link in a mail.', 'key', {
    type: 'string',
    enum: ['key', 'user', 'command', 'link'],
  })
  kind: Actor['kind'];

  @ApiField('Of a user.', '019b7a6e-2c00-7d3c-9a51-5f0f5b1c2a77', { type: 'string', required: false })
  id?: string;

  @ApiField('Of a key: the part of it before the dot.', 'tms_Zx81aQ2b', { type: 'string', required: false })
  prefix?: string;

  @ApiField('What the key or user was called, or what the command or link does.', 'Office', TEXT_OR_NULL)
  name: string | null;

  @ApiField('Of a user, as it was then.', 'ada@example.com', {
    type: 'string',
    nullable: true,
    required: false,
  })
  email?: string | null;
}

const CUSTOMER_ID = '019b7a6e-2c00-7d3c-9a51-5f0f5b1c2a77';

export class ActivityResponse {
  @ApiField('Unique identifier of the entry.', '019b7a6e-31c8-7f10-8a3e-0d6f1b2c3d4e')
  id: string;

  @ApiObjectName('activity')
  object: 'activity';

  @ApiInstant('When the change was made.', '2026-10-31T18:00:04.218Z')
  created_at: string;

  @ApiField('What was changed.', 'tank', { enum: ACTIVITY_TYPES, enumName: 'ActivityType' })
  type: ActivityType;

  @ApiField("Its id. A sensor has its tank's, a key its prefix.", '019b7a6e-31c8-7f10-8a3e-0d6f1b2c3d4e')
  object_id: string;

  @ApiField(
    "What it is called after the change, a deleted one what it was; of a webhook endpoint its address without the path. Null where there is no name, in entries from before 3.0, and for a key that is bound to a customer, if the object was not that customer's.",
    'Boiler house',
    TEXT_OR_NULL,
  )
  object_name: string | null;

  @ApiField(
    'The customer it belongs to after the change: the owner of a tank or its sensor, the customer itself, or that of a key or webhook endpoint.',
    CUSTOMER_ID,
    TEXT_OR_NULL,
  )
  owner_id: string | null;

  @ApiField(
    'What was done: `create`, `update`, `delete`, `restore`, of a secret `roll`, of a key `revoke`, of readings `delete_readings`.',
    'update',
  )
  operation: string;

  @ApiField('Who did it.', { kind: 'key', prefix: 'tms_Zx81aQ2b', name: 'Office' }, { type: ActorResponse })
  actor: ActorResponse;

  @ApiField(
    '`X-Request-Id` of the request; of an `import`, the id of its run; null for other commands.',
    'b6f2c1de',
    TEXT_OR_NULL,
  )
  request_id: string | null;

  @ApiField(
    'The fields that an `update` or `restore` changed, those within other objects by their path; empty for other operations. Of a value the first 1,000 characters are kept, with `…` after them; of a list or an object those of its JSON. Where all of them are more than 64 KiB of JSON, the first 100 characters of each are kept, and as many fields as there is room for: `…` then has the number of the others.',
    { name: { from: 'Boiler room', to: 'Boiler house' }, 'location.city': { from: null, to: 'Graz' } },
    {
      type: 'object',
      additionalProperties: {
        type: 'object',
        required: ['from', 'to'],
        properties: {
          from: {
            description:
              "Before it; null for a key that is bound to a customer, if the object was not that customer's.",
          },
          to: { description: 'After it.' },
        },
      },
    },
  )
  changes: Changes;
}

export const ActivityListResponse = createListResponse(ActivityResponse, 'ActivityListResponse');

export type ActivityRow = Omit<ActivityResponse, 'object' | 'actor'> & {
  readonly actor: string;
  /** Null in older entries. */
  readonly actor_kind: Actor['kind'] | null;
  readonly key_name: string | null;
  readonly actor_email: string | null;
};

/** `boundTo`: all that the key may know of; other customers' ids are hidden. */
export function toActivityResponse(row: ActivityRow, boundTo: string | null): ActivityResponse {
  const isOnlyOwn = boundTo === null || wasOwnedBy(row.changes, boundTo);
  return {
    id: row.id,
    object: 'activity',
    created_at: isoFromPostgres(row.created_at),
    type: row.type,
    object_id: row.object_id,
    object_name: isOnlyOwn ? row.object_name : null,
    owner_id: row.owner_id,
    operation: row.operation,
    actor: toActor(row),
    request_id: row.request_id,
    changes: isOnlyOwn ? row.changes : withoutFrom(row.changes),
  };
}

function toActor({
  actor,
  actor_kind: kind,
  key_name: name,
  actor_email: email,
}: ActivityRow): ActorResponse {
  if (kind === 'user') return { kind, id: actor, name, email };
  if (kind === 'link' || kind === 'command' || name === null)
    return { kind: kind === 'link' ? kind : 'command', name: actor };
  return { kind: 'key', prefix: actor, name };
}

/** The customer owned the object before the change, too. A tank has an owner, a user and a source have a customer. */
function wasOwnedBy(changes: Changes, customerId: string): boolean {
  return [changes['owner_id'], changes['customer_id']].every(
    (whose) => whose === undefined || whose.from === customerId,
  );
}

function withoutFrom(changes: Changes): Changes {
  return Object.fromEntries(Object.entries(changes).map(([name, { to }]) => [name, { from: null, to }]));
}
