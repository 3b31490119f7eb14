// The parameters of the walk through all readings.
import { FIRST_INSTANT, LAST_INSTANT } from '../../common/datetime/datetime.js';
import { ApiOptional } from '../../common/openapi/properties.js';
import { RANGE, sinceOf, untilOf } from '../../common/pagination/dto/list.query.js';
import { FormattedQuery } from '../../common/pagination/dto/page.query.js';
import { readBookmark, writeBookmark } from '../../common/pagination/bookmark.js';
import { IsDatetime, IsFilled, IsWholeNumber, rule } from '../../common/validation/parameter-rules.js';

const MAX_SIZE = 10_000;
const DEFAULT_SIZE = 1_000;

/** A reading, by its tank's key and its instant in milliseconds since 1970. */
export interface Reached {
  readonly tankKey: number;
  readonly at: number;
}

const WALK = 'readings ';

export function writeReached({ tankKey, at }: Reached): string {
  return writeBookmark(WALK, [tankKey, at - FIRST_INSTANT]);
}

function readReached(text: string): Reached | undefined {
  const [tankKey, after] = readBookmark(WALK, text) ?? [];
  if (tankKey === undefined || after === undefined || FIRST_INSTANT + after > LAST_INSTANT) return undefined;
  return { tankKey, at: FIRST_INSTANT + after };
}

export class WalkQuery extends FormattedQuery {
  @ApiOptional(RANGE.gte, {}, IsDatetime('first'))
  created_at_gte?: Date;

  @ApiOptional(RANGE.lte, {}, IsDatetime('last'))
  created_at_lte?: Date;

  @ApiOptional('Only readings of tanks of this customer.', { minLength: 1 }, IsFilled())
  owner_id?: string;

  @ApiOptional(
    'How many readings to return at most.',
    { type: 'integer', minimum: 1, maximum: MAX_SIZE, default: DEFAULT_SIZE },
    IsWholeNumber({ min: 1, max: MAX_SIZE }),
  )
  size: number = DEFAULT_SIZE;

  @ApiOptional('Where to go on: the `next` of an answer. Without it, from the beginning.', {}, IsReached())
  after?: string;

  get since(): string {
    return sinceOf(this.created_at_gte);
  }

  get until(): string {
    return untilOf(this.created_at_lte);
  }

  get reached(): Reached | undefined {
    return this.after === undefined ? undefined : readReached(this.after);
  }
}

function IsReached(): PropertyDecorator {
  return rule(
    'isReached',
    (value) => typeof value === 'string' && readReached(value) !== undefined,
    (shown) => `must be the \`next\` of an answer, not ${shown}`,
  );
}
