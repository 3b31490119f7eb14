// What became of a message of a network server, and of those that were tried again.
import { ApiProperty } from '@nestjs/swagger';
import {
  ANY_JSON,
  ApiField,
  ApiInstantOrNull,
  ApiObjectName,
  COUNT,
  FILL,
  TEXT_OR_NULL,
} from '../../common/openapi/properties.js';

export const OUTCOMES = ['stored', 'unchanged', 'ignored', 'quarantined'] as const;
export type Outcome = (typeof OUTCOMES)[number];

export class HistoryResultResponse {
  @ApiField('How many became readings.', 3, COUNT)
  stored: number;

  @ApiField('How many were there already.', 1, COUNT)
  unchanged: number;

  @ApiField('How many gave none.', 0, COUNT)
  skipped: number;
}

export class UplinkResultResponse {
  @ApiObjectName('uplink_result')
  object: 'uplink_result';

  @ApiField(
    'What became of it: its reading was stored, was there already, there was none in it, or it waits in quarantine.',
    'stored',
    { enum: OUTCOMES, enumName: 'UplinkOutcome' },
  )
  outcome: Outcome;

  @ApiField('Why it was ignored or is in quarantine.', null, TEXT_OR_NULL)
  reason: string | null;

  @ApiField('The device; an EUI in upper case without separators.', '0016C001F000175A', TEXT_OR_NULL)
  device_id: string | null;

  @ApiField('The tank that has the device, if one has.', '019b7a6e-31c8-7f10-8a3e-0d6f1b2c3d4e', TEXT_OR_NULL)
  tank_id: string | null;

  @ApiInstantOrNull('The time of the uplink, and of its reading.', '2026-10-31T18:00:00.000Z')
  created_at: string | null;

  @ApiField('The fill of its reading.', 42.5, { ...FILL, nullable: true })
  fill_percentage: number | null;

  @ApiField('Its id in quarantine.', null, TEXT_OR_NULL)
  uplink_id: string | null;

  @ApiField('What became of the entries of its history; null where none was read.', null, {
    type: HistoryResultResponse,
    nullable: true,
  })
  history: HistoryResultResponse | null;
}

/** `known`: what is known of it, where that is not null. */
export function toUplinkResult(
  { deviceId, at }: { readonly deviceId: string | null; readonly at: number | null },
  { outcome, ...known }: Pick<UplinkResultResponse, 'outcome'> & Partial<UplinkResultResponse>,
): UplinkResultResponse {
  return {
    object: 'uplink_result',
    outcome,
    reason: null,
    device_id: deviceId,
    tank_id: null,
    created_at: at === null ? null : new Date(at).toISOString(),
    fill_percentage: null,
    uplink_id: null,
    history: null,
    ...known,
  };
}

const TIMES = ['message', 'arrival'] as const;

/** Of what came by a source. */
export class SourceResultResponse extends UplinkResultResponse {
  @ApiField('Where its time is from; null where none was looked for.', 'message', {
    anyOf: [{ type: 'string', enum: [...TIMES] }, { type: 'null' }],
  })
  time: (typeof TIMES)[number] | null;

  @ApiField('Which path of the source found what.', 'Device: EUI is "0016C001F000175A". …')
  detail: string;
}

export class SourceTestResponse extends SourceResultResponse {
  @ApiField(
    'What a sensor’s profile gets.',
    { bytes: '0a1f' },
    { oneOf: ANY_JSON.oneOf.slice(0, 2), nullable: true },
  )
  payload: object | null;
}

export class SourceResultsResponse {
  @ApiObjectName('list')
  object: 'list';

  @ApiProperty({ type: [SourceResultResponse], description: 'One an uplink, in their order.' })
  data: SourceResultResponse[];
}

export class SourceTestsResponse {
  @ApiObjectName('list')
  object: 'list';

  @ApiProperty({ type: [SourceTestResponse], description: 'One an uplink, in their order.' })
  data: SourceTestResponse[];
}

/** For Event Grid, which asks first. */
export class ValidationResponse {
  @ApiField('The code that Event Grid sent.', '512d38b6-c7b8-40c8-89fe-f46f9e9622b6')
  validationResponse: string;
}

export class RetryResultResponse {
  @ApiObjectName('retry_result')
  object: 'retry_result';

  @ApiField('How many became readings.', 3, COUNT)
  stored: number;

  @ApiField('How many had readings that were there already.', 0, COUNT)
  unchanged: number;

  @ApiField('How many stay in quarantine.', 2, COUNT)
  quarantined: number;

  @ApiField('How many were not tried yet.', 0, COUNT)
  remaining: number;

  @ApiField('What to send as `after` to go on; null when none remain.', null, TEXT_OR_NULL)
  next: string | null;
}
