// An entry of the activity as the API shows it.
import { isoFromPostgres } from '../../common/datetime/datetime.js';
import { ApiField, ApiInstant, ApiObjectName, TEXT_OR_NULL } from '../../common/openapi/properties.js';
import { listResponseOf } from '../../common/pagination/dto/list.response.js';
import { ACTIVITY_TYPES, type ActivityType, type Changes } from '../../common/writes/activity.js';

export class ActorResponse {
  @ApiField('A key, or a command of the operator.', 'key', { type: 'string', enum: ['key', 'command'] })
  kind: 'key' | 'command';

  @ApiField('Of a key: the part of it before the dot.', 'tms_Zx81aQ2b', { type: 'string', required: false })
  prefix?: string;

  @ApiField('What the key was called, or the command.', 'Office')
  name: string;
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
    'The fields that an `update` or `restore` changed, those within other objects by their path; empty for other operations. Of a value the first 1,000 characters are kept, with `…` after them; of a list or an object those of its JSON.',
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

export const ActivityListResponse = listResponseOf(ActivityResponse, 'ActivityListResponse');

export type ActivityRow = Omit<ActivityResponse, 'object' | 'actor'> & {
  readonly actor: string;
  /** Null when it was a command. */
  readonly key_name: string | null;
};

/** `boundTo`: all that the key may know of; other customers' ids are hidden. */
export function toActivityResponse(row: ActivityRow, boundTo: string | null): ActivityResponse {
  const { actor, key_name: keyName } = row;
  return {
    id: row.id,
    object: 'activity',
    created_at: isoFromPostgres(row.created_at),
    type: row.type,
    object_id: row.object_id,
    owner_id: row.owner_id,
    operation: row.operation,
    actor:
      keyName === null ? { kind: 'command', name: actor } : { kind: 'key', prefix: actor, name: keyName },
    request_id: row.request_id,
    changes: boundTo === null ? row.changes : hideOthers(row.changes, boundTo),
  };
}

/** What came from another customer was that customer's before. */
function hideOthers(changes: Changes, boundTo: string): Changes {
  const { owner_id: owner } = changes;
  if (owner === undefined || owner.from === boundTo) return changes;
  return Object.fromEntries(Object.entries(changes).map(([name, { to }]) => [name, { from: null, to }]));
}
