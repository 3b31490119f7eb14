// A recipient as it is sent. Of the fields that the service makes, a patch may hold what was read.
import { IntersectionType, OmitType, PartialType, PickType } from '@nestjs/swagger';
import { Allow, IsOptional } from 'class-validator';
import { isTimeZone, nearestTimeZone } from '../../common/datetime/time-zone.js';
import { ApiField } from '../../common/openapi/properties.js';
import { didYouMean } from '../../common/problems/did-you-mean.js';
import { fault, quote } from '../../common/validation/fault.js';
import {
  fieldRule,
  IsAmong,
  IsExactly,
  IsText,
  IsTrueOrFalse,
  MayBeLeftOut,
} from '../../common/validation/field-rules.js';
import { AddressId, IsCreationTime, NOT_NULL, OwnFields } from '../../common/validation/own-fields.js';
import { ID, textFault } from '../../common/validation/values.js';
import { isMailAddress } from '../../platform/config/mail-settings.js';
import { EVENT_TYPES } from '../../rules.js';
import { LANGUAGES, type Language } from '../recipient-state.js';
import { RecipientResponse } from './recipient.response.js';

export const NOTHING_TO_TELL = 'must not be empty without a daily_at';
const KNOWN_TYPES: ReadonlySet<unknown> = new Set(EVENT_TYPES);

const IsMailAddress = () =>
  fieldRule('isMailAddress', (value) => {
    if (typeof value === 'string' && isMailAddress(value)) return undefined;
    return (
      textFault(value, { min: 1, max: 254 }) ??
      fault('must be one address such as office@example.com', quote(value))
    );
  });

const HasEvents = () =>
  fieldRule('hasEvents', (value, { daily_at: daily, id }: { daily_at?: unknown; id?: unknown }) => {
    if (!Array.isArray(value)) return fault('must be an array of types of events', quote(value));
    const types: unknown[] = value;
    const other = types.find((type) => !KNOWN_TYPES.has(type));
    if (types.some((type) => !KNOWN_TYPES.has(type)))
      return fault('holds an unknown type', `${quote(other)}; ${didYouMean(String(other), EVENT_TYPES)}`);
    if (new Set(types).size < types.length) return fault('holds a type twice', quote(value));
    const hasNoDaily = daily === null || (daily === undefined && !(id instanceof AddressId));
    return types.length === 0 && hasNoDaily ? fault(NOTHING_TO_TELL) : undefined;
  });

const IsTimeOfDay = () =>
  fieldRule('isTimeOfDay', (value) =>
    typeof value === 'string' && /^([01]\d|2[0-3]):[0-5]\d$/.test(value)
      ? undefined
      : fault('must be a time of day such as 07:00, or null', quote(value)),
  );

const IsZone = () =>
  fieldRule('isZone', (value) => {
    if (isTimeZone(value)) return undefined;
    const near = typeof value === 'string' ? nearestTimeZone(value) : undefined;
    const hint = near === undefined ? '' : `; did you mean ${near}?`;
    return fault('must be a time zone of the IANA database, such as Europe/Vienna', quote(value) + hint);
  });

const OPTIONAL = ['name', 'owner_id', 'events', 'daily_at', 'time_zone', 'language'] as const;

export class RecipientInput extends IntersectionType(
  PickType(RecipientResponse, ['email'] as const),
  PartialType(PickType(RecipientResponse, OPTIONAL), NOT_NULL),
) {
  static readonly fields: readonly string[] = ['object', 'email', ...OPTIONAL];

  @MayBeLeftOut()
  @IsExactly('recipient')
  object?: 'recipient';

  @IsMailAddress()
  override email: string;

  @IsOptional()
  @IsText({ min: 1, max: 200 })
  override name?: string | null;

  @IsOptional()
  @IsText(ID)
  override owner_id?: string | null;

  @HasEvents()
  override events?: string[];

  @IsOptional()
  @IsTimeOfDay()
  override daily_at?: string | null;

  @IsZone()
  override time_zone?: string;

  @IsAmong(LANGUAGES)
  override language?: Language;
}

class Own extends OmitType(OwnFields, ['deleted'] as const) {
  @IsCreationTime()
  created_at?: Date;

  @Allow()
  owner_id?: unknown;

  @ApiField('true: it gets nothing for now, and what is pending is not sent.', true, { required: false })
  @MayBeLeftOut()
  @IsTrueOrFalse()
  paused?: boolean;

  @Allow()
  status?: unknown;

  @Allow()
  confirmed_at?: unknown;

  @Allow()
  last_sent_at?: unknown;

  @Allow()
  reason?: unknown;
}

export class RecipientPatch extends IntersectionType(
  PartialType(OmitType(RecipientInput, ['owner_id'] as const), NOT_NULL),
  Own,
) {
  static readonly fields = Object.keys(new RecipientResponse());
}
