// A source as the API shows it: the one description of its fields, with the rules that bodies are checked by.
import { ApiProperty, PickType } from '@nestjs/swagger';
import { ValidateIf } from 'class-validator';
import { isTimeZone, UTC } from '../../common/datetime/time-zone.js';
import { isoFrom } from '../../common/datetime/datetime.js';
import {
  ApiDeleted,
  ApiField,
  ApiInstant,
  ApiObjectName,
  TEXT_OR_NULL,
} from '../../common/openapi/properties.js';
import { listResponseOf } from '../../common/pagination/dto/list.response.js';
import { fault, quote } from '../../common/validation/fault.js';
import { fieldRule, IsAmong, IsNumberIn, IsText, MayBeLeftOut } from '../../common/validation/field-rules.js';
import { ruleFrom } from '../sensor-lookup.js';
import { ENCODINGS, type SourceRules } from '../source.js';
import type { Source } from '../source.entity.js';
import { MAX_RULES, Path, RejectRuleResponse } from './sensor-profile.response.js';

/** An MQTT topic has seldom more levels than ten. */
const MAX_LEVEL = 100;
const CHANNEL = /^[\w-]{1,32}$/;

export class MessagesPlaceResponse {
  @Path('messages', 0)
  path: string;
}

export class DevicePlaceResponse {
  @Path('deviceId', 1, false)
  @ValidateIf(({ topic }: DevicePlaceResponse, value) => value !== undefined || topic === undefined)
  path?: string | undefined;

  @ApiField('Which level of an MQTT topic, counted from 1.', 2, {
    type: 'integer',
    minimum: 1,
    maximum: MAX_LEVEL,
    required: false,
  })
  @MayBeLeftOut()
  @IsNumberIn({ min: 1, max: MAX_LEVEL, isWhole: true })
  topic?: number | undefined;
}

export class TimePlaceResponse {
  @Path('time')
  path: string;

  @ApiField('Of local times without an offset: a name of the IANA database.', 'Europe/Vienna', {
    default: UTC,
    required: false,
  })
  @MayBeLeftOut()
  @fieldRule('isTimeZone', (value) =>
    isTimeZone(value) ? undefined : fault('must be a time zone such as Europe/Vienna', quote(value)),
  )
  time_zone?: string;
}

export class PayloadPlaceResponse {
  @Path('data')
  path: string;

  @ApiField('What it is: JSON, or bytes in hex or base64.', 'hex', {
    enum: ENCODINGS,
    enumName: 'PayloadEncoding',
  })
  @IsAmong(ENCODINGS)
  as: (typeof ENCODINGS)[number];
}

export class ChannelResponse {
  @ApiField('What follows the device and a `#` in the id of the tank’s device.', '1', {
    pattern: CHANNEL.source,
  })
  @fieldRule('isChannelName', (value) =>
    typeof value === 'string' && CHANNEL.test(value)
      ? undefined
      : fault('must be 1 to 32 letters, digits, - and _', quote(value)),
  )
  name: string;

  @Path('ch.0')
  path: string;
}

export class NumberPlaceResponse {
  @Path('rssi')
  path: string;
}

const nullable = (type: new () => object) => ({ type, nullable: true });

export class SourceResponse {
  @ApiField('Unique identifier of the source.', 'my-gateway')
  id: string;

  @ApiObjectName('source')
  object: 'source';

  @ApiInstant('When the source was created.', '2026-01-31T08:15:30.123Z')
  created_at: string;

  @ApiInstant('When it was last changed.', '2026-01-31T08:15:30.123Z')
  updated_at: string;

  @ApiField('Which sender it is for.', 'Gateway in the yard', { minLength: 1 })
  @IsText({ min: 1 })
  name: string;

  @ApiField('Whether it came with the service. Nobody changes such a source.', false)
  built_in: boolean;

  @ApiField(
    'Where the array of messages is; an empty path is the body itself. Null: one message a body.',
    null,
    nullable(MessagesPlaceResponse),
  )
  messages: MessagesPlaceResponse | null = new MessagesPlaceResponse();

  @ApiField(
    'Where the device is: in the message, in the MQTT topic, or in both.',
    { path: 'deviceId' },
    nullable(DevicePlaceResponse),
  )
  device: DevicePlaceResponse | null = new DevicePlaceResponse();

  @ApiField(
    'Where the time is: RFC 3339, a Unix time, or a local time. Otherwise it is that of arrival.',
    { path: 'time', time_zone: UTC },
    nullable(TimePlaceResponse),
  )
  time: TimePlaceResponse | null = new TimePlaceResponse();

  @ApiProperty({
    description:
      'What a sensor’s profile looks into: the first of these that is there. Null: the whole message.',
    type: [PayloadPlaceResponse],
    nullable: true,
    example: [{ path: 'data', as: 'hex' }],
  })
  payload: PayloadPlaceResponse[] | null;

  @ApiProperty({
    description: 'Where each tank of a message is in the payload, if it is of several.',
    type: [ChannelResponse],
    nullable: true,
    example: null,
  })
  channels: ChannelResponse[] | null;

  @ApiField('Where the battery is, in percent.', null, nullable(NumberPlaceResponse))
  battery_percent: NumberPlaceResponse | null = new NumberPlaceResponse();

  @ApiField('Where the strength of the signal is, in dBm.', null, nullable(NumberPlaceResponse))
  rssi_dbm: NumberPlaceResponse | null = new NumberPlaceResponse();

  @ApiField('Where its ratio to the noise is, in dB.', null, nullable(NumberPlaceResponse))
  snr_db: NumberPlaceResponse | null = new NumberPlaceResponse();

  @ApiField(
    'Messages to which one of these rules applies are ignored.',
    [{ path: 'type', equals: 'status' }],
    {
      type: [RejectRuleResponse],
      maxItems: MAX_RULES,
    },
  )
  ignore_when: RejectRuleResponse[];

  @ApiField(
    'The customer whose source it is: what comes by it is as if sent with a key of that customer.',
    null,
    TEXT_OR_NULL,
  )
  customer_id: string | null;
}

export class DeletedSourceResponse extends PickType(SourceResponse, ['id', 'object'] as const) {
  @ApiDeleted('source')
  deleted: true;
}

export const SourceListResponse = listResponseOf(SourceResponse, 'SourceListResponse');

export class SourceTokenResponse {
  @ApiObjectName('source_token')
  object: 'source_token';

  @ApiField('What the sender posts to. It is shown this once.', '/v1/uplinks/sources/my-gateway/…')
  url: string;
}

export class DeletedSourceTokenResponse extends PickType(SourceTokenResponse, ['object'] as const) {
  @ApiDeleted('token')
  deleted: true;
}

/** As the database gives it, or TypeORM. */
export type SourceRow = Omit<Source, 'created_at' | 'updated_at'> & {
  readonly created_at: string | Date;
  readonly updated_at: string | Date;
};

export function toSourceResponse(row: SourceRow): SourceResponse {
  return {
    id: row.id,
    object: 'source',
    created_at: isoFrom(row.created_at),
    updated_at: isoFrom(row.updated_at),
    name: row.name,
    built_in: row.built_in,
    ...inOrder(row.rules),
    customer_id: row.customer_id,
  };
}

/** The database has an order of its own in each object. */
function inOrder(rules: SourceRules): Pick<SourceResponse, keyof SourceRules> {
  const { messages, device, time, payload, channels, battery_percent, rssi_dbm, snr_db } = rules;
  return {
    messages,
    device: device && { path: device.path, topic: device.topic },
    time: time && { path: time.path, time_zone: time.time_zone },
    payload: payload && payload.map(({ path, as }) => ({ path, as })),
    channels: channels && channels.map(({ name, path }) => ({ name, path })),
    battery_percent,
    rssi_dbm,
    snr_db,
    ignore_when: rules.ignore_when.map(ruleFrom),
  };
}
