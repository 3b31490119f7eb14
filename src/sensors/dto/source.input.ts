// A source as it is sent: its fields and rules are those of SourceResponse.
import { ApiProperty, IntersectionType, OmitType, PartialType, PickType } from '@nestjs/swagger';
import { Allow, IsOptional } from 'class-validator';
import { UTC } from '../../common/datetime/time-zone.js';
import { ANY_JSON, ApiOptional } from '../../common/openapi/properties.js';
import { fault, quote } from '../../common/validation/fault.js';
import {
  fieldRule,
  IsExactly,
  IsListOf,
  IsObjectOf,
  IsText,
  MayBeLeftOut,
} from '../../common/validation/field-rules.js';
import { AddressId, IsCreationTime, OwnFields } from '../../common/validation/own-fields.js';
import { ID, textFault } from '../../common/validation/values.js';
import type { SourceRules } from '../source.js';
import { MAX_RULES, RejectRuleResponse } from './sensor-profile.response.js';
import {
  ChannelResponse,
  DevicePlaceResponse,
  MessagesPlaceResponse,
  NumberPlaceResponse,
  PayloadPlaceResponse,
  SourceResponse,
  TimePlaceResponse,
} from './source.response.js';

const MAX_PLACES = 3;
const MAX_CHANNELS = 20;
const SOURCE_ID = /^[\w.-]{1,64}$/;

const Place = (description: string, type: new () => object): PropertyDecorator =>
  ApiOptional(description, { type, nullable: true }, IsObjectOf(type, ' or null'));

class Own extends OmitType(OwnFields, ['deleted'] as const) {
  @MayBeLeftOut()
  @fieldRule('isSourceId', (value) =>
    value instanceof AddressId && value.mayBeNew && !SOURCE_ID.test(value.id)
      ? fault('must be 1 to 64 letters, digits, -, _ and .', quote(value.id))
      : undefined,
  )
  declare id?: AddressId;

  @MayBeLeftOut()
  @IsExactly('source')
  object?: 'source';

  @IsCreationTime()
  created_at?: Date;

  @MayBeLeftOut()
  @IsExactly(false)
  built_in?: false;
}

export class SentSource extends IntersectionType(PickType(SourceResponse, ['name'] as const), Own) {
  static readonly fields = Object.keys(new SourceResponse());

  @Place('Where the array of messages is; an empty path is the body itself.', MessagesPlaceResponse)
  messages?: MessagesPlaceResponse | null;

  @Place('Where the device is: a path, the level of an MQTT topic, or both.', DevicePlaceResponse)
  device?: DevicePlaceResponse | null;

  @Place('Where the time is.', TimePlaceResponse)
  time?: TimePlaceResponse | null;

  @ApiProperty({
    type: [PayloadPlaceResponse],
    minItems: 1,
    maxItems: MAX_PLACES,
    required: false,
    nullable: true,
    description: 'What a profile looks into: the first that is there. Null: the whole message.',
    example: [{ path: 'data', as: 'hex' }],
  })
  @IsOptional()
  @IsListOf(PayloadPlaceResponse, { min: 1, max: MAX_PLACES })
  payload?: PayloadPlaceResponse[] | null;

  @ApiProperty({
    type: [ChannelResponse],
    minItems: 1,
    maxItems: MAX_CHANNELS,
    required: false,
    nullable: true,
    description: 'Where each tank of a message is in the payload.',
    example: [{ name: '1', path: 'ch.0' }],
  })
  @IsOptional()
  @IsListOf(ChannelResponse, { min: 1, max: MAX_CHANNELS })
  @fieldRule('isOnceEach', (value) => {
    const names = Array.isArray(value) ? value.map((one: Partial<ChannelResponse> | null) => one?.name) : [];
    const twice = names.find((name, i) => name !== undefined && names.indexOf(name) < i);
    return twice === undefined ? undefined : fault('must have each name once', quote(twice));
  })
  channels?: ChannelResponse[] | null;

  @Place('Where the battery is, in percent.', NumberPlaceResponse)
  battery_percent?: NumberPlaceResponse | null;

  @Place('Where the strength of the signal is, in dBm.', NumberPlaceResponse)
  rssi_dbm?: NumberPlaceResponse | null;

  @Place('Where its ratio to the noise is, in dB.', NumberPlaceResponse)
  snr_db?: NumberPlaceResponse | null;

  @ApiProperty({
    type: [RejectRuleResponse],
    maxItems: MAX_RULES,
    required: false,
    description: 'What is ignored.',
  })
  @MayBeLeftOut()
  @IsListOf(RejectRuleResponse, { max: MAX_RULES })
  ignore_when?: RejectRuleResponse[];

  @ApiOptional(
    'Whose it is. Left out it is of the customer that your key is bound to, if it is.',
    { nullable: true, example: null },
    IsText(ID),
  )
  customer_id?: string | null;
}

/** What is left out gets its default. */
export function rulesOf(sent: Pick<SentSource, keyof SourceRules>): SourceRules {
  const { messages = null, device = null, time = null, payload = null, channels = null } = sent;
  const { battery_percent = null, rssi_dbm = null, snr_db = null, ignore_when = [] } = sent;
  return {
    messages,
    device,
    time: time && { path: time.path, time_zone: time.time_zone ?? UTC },
    payload,
    channels,
    battery_percent,
    rssi_dbm,
    snr_db,
    ignore_when,
  };
}

/** As the document shows it; what a patch makes of the source is checked as a whole. */
export class SourcePatch extends PartialType(SentSource) {}

/** One that is not stored, so that its id and times do not matter. */
class TestedSource extends OmitType(SentSource, ['id', 'created_at', 'built_in'] as const) {
  static readonly fields = SentSource.fields;

  @Allow()
  id?: unknown;

  @Allow()
  created_at?: unknown;

  @Allow()
  built_in?: unknown;
}

export class SourceTestInput {
  @ApiProperty({ type: SentSource, description: 'The source, as it would be put.' })
  @IsObjectOf(TestedSource)
  source: TestedSource = new TestedSource();

  @ApiProperty({
    ...ANY_JSON,
    description: 'What the sender sends: any JSON.',
    example: { deviceId: 'tank-7', data: '0a1f' },
  })
  @fieldRule('isMessage', (value) => (value === undefined ? fault('is missing') : undefined))
  message: unknown;

  @ApiOptional(
    'The MQTT topic it comes by.',
    { example: 'tele/tank-7/SENSOR' },
    fieldRule('isTopic', (value) => textFault(value, { min: 1 })),
  )
  topic?: string | null;
}
