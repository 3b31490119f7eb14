// A source as the API shows it: the one description of its fields, with the rules that bodies are checked by.
import { applyDecorators } from '@nestjs/common';
import { PickType } from '@nestjs/swagger';
import { plainToInstance } from 'class-transformer';
import { IsOptional, ValidateIf } from 'class-validator';
import { isTimeZone, UTC } from '../../common/datetime/time-zone.js';
import { isoFrom } from '../../common/datetime/datetime.js';
import {
  ApiDeleted,
  ApiField,
  ApiInstant,
  ApiObjectName,
  TEXT_OR_NULL,
} from '../../common/openapi/properties.js';
import { createListResponse } from '../../common/pagination/dto/list.response.js';
import { fault, quote } from '../../common/validation/fault.js';
import { fieldRule, IsAmong, IsListOf, IsText, MayBeLeftOut } from '../../common/validation/field-rules.js';
import { IsLimitedText } from '../../common/validation/limited-text.js';
import { ID } from '../../common/validation/values.js';
import { ENCODINGS } from '../source.js';
import type { Source } from '../source.entity.js';
import { Path, PlaceOrNull, Rules, WholeNumber, type RejectRuleResponse } from './sensor-profile.response.js';

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

  @MayBeLeftOut()
  @WholeNumber('Which level of an MQTT topic, counted from 1.', 2, { min: 1, max: MAX_LEVEL }, false)
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

const List = (
  description: string,
  type: new () => object,
  max: number,
  example: object[] | null,
): PropertyDecorator =>
  applyDecorators(
    ApiField(description, example, { type: [type], minItems: 1, maxItems: max, nullable: true }),
    IsOptional(),
    IsListOf(type, { min: 1, max }),
  );

const MAX_PLACES = 3;
const MAX_CHANNELS = 20;

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
  @IsLimitedText({ min: 1 })
  name: string;

  @ApiField('Whether it came with the service. Nobody changes such a source.', false)
  built_in: boolean;

  @PlaceOrNull(
    'Where the array of messages is; an empty path is the body itself. Null: one message a body.',
    MessagesPlaceResponse,
    null,
  )
  messages: MessagesPlaceResponse | null = new MessagesPlaceResponse();

  @PlaceOrNull('Where the device is: in the message, in the MQTT topic, or in both.', DevicePlaceResponse, {
    path: 'deviceId',
  })
  device: DevicePlaceResponse | null = new DevicePlaceResponse();

  @PlaceOrNull(
    'Where the time is: RFC 3339, a Unix time, or a local time. Otherwise it is that of arrival.',
    TimePlaceResponse,
    { path: 'time', time_zone: UTC },
  )
  time: TimePlaceResponse | null = new TimePlaceResponse();

  @List(
    'What a sensor’s profile looks into: the first of these that is there. Null: the whole message.',
    PayloadPlaceResponse,
    MAX_PLACES,
    [{ path: 'data', as: 'hex' }],
  )
  payload: PayloadPlaceResponse[] | null;

  @List(
    'Where each tank of a message is in the payload, if it is of several.',
    ChannelResponse,
    MAX_CHANNELS,
    null,
  )
  @fieldRule('isOnceEach', (value) => {
    const names = Array.isArray(value) ? value.map((one: Partial<ChannelResponse> | null) => one?.name) : [];
    const twice = names.find((name, i) => name !== undefined && names.indexOf(name) < i);
    return twice === undefined ? undefined : fault('must have each name once', quote(twice));
  })
  channels: ChannelResponse[] | null;

  @PlaceOrNull('Where the battery is, in percent.', NumberPlaceResponse, null)
  battery_percent: NumberPlaceResponse | null = new NumberPlaceResponse();

  @PlaceOrNull('Where the strength of the signal is, in dBm.', NumberPlaceResponse, null)
  rssi_dbm: NumberPlaceResponse | null = new NumberPlaceResponse();

  @PlaceOrNull('Where its ratio to the noise is, in dB.', NumberPlaceResponse, null)
  snr_db: NumberPlaceResponse | null = new NumberPlaceResponse();

  @Rules('Messages to which one of these rules applies are ignored.', { path: 'type', equals: 'status' })
  ignore_when: readonly RejectRuleResponse[];

  @ApiField(
    'The customer whose source it is: what comes by it is as if sent with a key of that customer. Left out of a body: the one that your key is bound to, if it is.',
    null,
    TEXT_OR_NULL,
  )
  @IsOptional()
  @IsText(ID)
  customer_id: string | null;
}

export class DeletedSourceResponse extends PickType(SourceResponse, ['id', 'object'] as const) {
  @ApiDeleted('source')
  deleted: true;
}

export const SourceListResponse = createListResponse(SourceResponse, 'SourceListResponse');

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
export type SourceRow = Omit<Source, 'created_at' | 'updated_at'> &
  Record<'created_at' | 'updated_at', string | Date>;

/** In the order of the classes: the database has one of its own in each object. */
export function toSourceResponse(row: SourceRow): SourceResponse {
  return plainToInstance(SourceResponse, {
    id: row.id,
    object: 'source',
    created_at: isoFrom(row.created_at),
    updated_at: isoFrom(row.updated_at),
    name: row.name,
    built_in: row.built_in,
    ...row.rules,
    customer_id: row.customer_id,
  });
}
