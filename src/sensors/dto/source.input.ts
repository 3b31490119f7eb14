// A source as it is sent: its fields and rules are those of SourceResponse.
import { ApiProperty, IntersectionType, OmitType, PartialType, PickType } from '@nestjs/swagger';
import { UTC } from '../../common/datetime/time-zone.js';
import { ANY_JSON, ApiOptional } from '../../common/openapi/properties.js';
import { fault, quote } from '../../common/validation/fault.js';
import { fieldRule, IsExactly, IsObjectOf, MayBeLeftOut } from '../../common/validation/field-rules.js';
import { limitTexts } from '../../common/validation/limited-text.js';
import {
  AddressId,
  IsCreationTime,
  MayRepeat,
  NOT_NULL,
  ReadOnlyFields,
} from '../../common/validation/read-only-fields.js';
import { textFault } from '../../common/validation/values.js';
import type { SourceRules } from '../source.js';
import { SourceResponse } from './source.response.js';

const SOURCE_ID = /^[\w.-]{1,64}$/;

class Own extends OmitType(ReadOnlyFields, ['deleted'] as const) {
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

const OWN = ['id', 'object', 'created_at', 'updated_at', 'built_in'] as const;

export class SentSource extends IntersectionType(
  PickType(SourceResponse, ['name'] as const),
  PartialType(OmitType(SourceResponse, [...OWN, 'name', 'ignore_when'] as const)),
  PartialType(PickType(SourceResponse, ['ignore_when'] as const), NOT_NULL),
  Own,
) {
  static readonly fields = Object.keys(new SourceResponse());

  /** What is left out is no place, where an answer has one from the start for its columns. */
  constructor() {
    super();
    for (const name of Object.keys(this)) Reflect.deleteProperty(this, name);
  }
}
limitTexts(SentSource, 'name');

/** What is left out gets its default. */
export function toRules(sent: Pick<SentSource, keyof SourceRules>): SourceRules {
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
class TestedSource extends IntersectionType(
  OmitType(SentSource, ['id', 'created_at', 'built_in'] as const),
  MayRepeat('id', 'created_at', 'built_in'),
) {
  static readonly fields = SentSource.fields;
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
