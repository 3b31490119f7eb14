// The parameters of the fleet: whose tanks, in what state, with what text, in what order.
import { HOUR_MS } from '../../common/datetime/datetime.js';
import { ApiOptional } from '../../common/openapi/properties.js';
import { PageQuery, ReadQuery } from '../../common/pagination/dto/page.query.js';
import { ApiSearch } from '../../common/search.js';
import { IsDatetime, IsFilled, IsFlag, IsOneOf } from '../../common/validation/parameter-rules.js';
import { NUMBERS } from '../../rules.js';
import { USE_CASES, type UseCase } from '../../tanks/tank.entity.js';
import { FLEET_SORTS, type FleetSort } from '../fleet-statements.js';

function YesOrNo(description: string): PropertyDecorator {
  const enumSchema = { description: '`true` or `false`.' };
  return ApiOptional(description, { enum: ['true', 'false'], enumName: 'YesOrNo', enumSchema }, IsFlag());
}

const OwnerId = () => ApiOptional('Only tanks of this customer.', { minLength: 1 }, IsFilled());

const InUseCase = () =>
  ApiOptional('Only tanks with this use case.', { enum: USE_CASES, enumName: 'UseCase' }, IsOneOf(USE_CASES));

const Words = () =>
  ApiSearch(
    'tanks',
    "name, custom id, device id, address (the country by its name in English or German or its code), or in the owner's name, email or phone",
  );

const HasLowBattery = () =>
  YesOrNo(
    `Only tanks whose sensor last reported a battery below ${NUMBERS.LOW_BATTERY} % (\`true\`), or not (\`false\`).`,
  );

const HasWeakSignal = () =>
  YesOrNo(
    `Only tanks whose sensor was last received with less than ${NUMBERS.WEAK_RSSI} dBm, or an SNR below ` +
      `${NUMBERS.WEAK_SNR} dB (\`true\`), or not (\`false\`).`,
  );

export class FleetQuery extends ReadQuery {
  @HasLowBattery()
  low_battery?: boolean;

  @HasWeakSignal()
  weak_signal?: boolean;

  @OwnerId()
  owner_id?: string;

  @InUseCase()
  use_case?: UseCase;

  @Words()
  q?: string;
}

export class FleetTanksQuery extends PageQuery {
  @YesOrNo('Only tanks that are low (`true`) or not (`false`).')
  low?: boolean;

  @YesOrNo('Only tanks that have fallen silent (`true`) or not (`false`).')
  silent?: boolean;

  @YesOrNo('Only tanks with a reading (`true`) or without any (`false`).')
  reported?: boolean;

  @HasLowBattery()
  low_battery?: boolean;

  @HasWeakSignal()
  weak_signal?: boolean;

  @OwnerId()
  owner_id?: string;

  @InUseCase()
  use_case?: UseCase;

  @Words()
  q?: string;

  @ApiOptional(
    '`fill_percentage`, the default: lowest first, never reported last. `reported_at`: never reported first, then longest silent first. ' +
      '`created_at`: newest first. `alert_at`: low tanks first, lowest first, then by `forecast.alert.p50`, those without one last. ' +
      '`empty_at`: by `forecast.empty.p50`, then by its `p10`, those without a forecast last. Ties go by `tank_id`.',
    { enum: FLEET_SORTS, enumName: 'FleetSort', default: 'fill_percentage' },
    IsOneOf(FLEET_SORTS),
  )
  sort?: FleetSort;

  @ApiOptional(
    'Only tanks that are low, or whose `forecast.alert.p10` is not after this ISO datetime, such as `2026-01-31T08:15:30Z`. A date ' +
      'alone means the end of its day in UTC.',
    {},
    IsDatetime('last'),
  )
  alert_before?: Date;

  /** Whole hours since 1970, as forecasts have them. */
  get lastAlertHour(): number | null {
    return this.alert_before === undefined ? null : Math.floor(this.alert_before.getTime() / HOUR_MS);
  }
}
