// The parameters of the feed.
import { ApiOptional } from '../../common/openapi/properties.js';
import { IsWholeNumber, rule } from '../../common/validation/parameter-rules.js';
import { CHANGE_TYPES, KINDS_OF_TYPE, type ChangeType } from '../change-types.js';
import { readCursor, type Cursor } from '../cursor.js';
import { ReadQuery } from '../../common/pagination/dto/page.query.js';

const LATEST = 'latest';
const MAX_SIZE = 1_000;
const DEFAULT_SIZE = 100;
const MAX_WAIT_SECONDS = 25;

export class ChangesQuery extends ReadQuery {
  @ApiOptional(
    'Changes after this one: the `next` of an answer. Without it, the oldest that is kept; `latest` answers at once with no changes and the way from now on.',
    {},
    IsCursor(),
  )
  after?: string;

  @ApiOptional(
    `Only changes of these types, separated by commas, such as \`tank,telemetry\`: of ${CHANGE_TYPES.map((type) => `\`${type}\``).join(', ')}.`,
    {},
    AreTypes(),
  )
  types?: string;

  @ApiOptional(
    'How many changes to return at most.',
    { type: 'integer', minimum: 1, maximum: MAX_SIZE, default: DEFAULT_SIZE },
    IsWholeNumber({ min: 1, max: MAX_SIZE }),
  )
  size: number = DEFAULT_SIZE;

  @ApiOptional(
    'How many seconds to wait for the next change when there is none.',
    { type: 'integer', minimum: 0, maximum: MAX_WAIT_SECONDS, default: 0 },
    IsWholeNumber({ min: 0, max: MAX_WAIT_SECONDS }),
  )
  wait: number = 0;

  get isFromNowOn(): boolean {
    return this.after === LATEST;
  }

  get cursor(): Cursor | undefined {
    return this.after === undefined ? undefined : readCursor(this.after);
  }

  get kinds(): string[] {
    const types = this.types === undefined ? CHANGE_TYPES : this.types.split(',').filter(isType);
    return [...new Set(types)].flatMap((type) => KINDS_OF_TYPE[type]);
  }

  get waitMs(): number {
    return this.wait * 1_000;
  }
}

function isType(text: string): text is ChangeType {
  return CHANGE_TYPES.some((type) => type === text);
}

function AreTypes(): PropertyDecorator {
  return rule(
    'areTypes',
    (value) => typeof value === 'string' && value.split(',').every(isType),
    (shown) => `must be one or several of ${CHANGE_TYPES.join(', ')}, separated by commas, not ${shown}`,
  );
}

function IsCursor(): PropertyDecorator {
  return rule(
    'isCursor',
    (value) => typeof value === 'string' && (value === LATEST || readCursor(value) !== undefined),
    (shown) => `must be the \`next\` of an answer, or ${LATEST}, not ${shown}`,
  );
}
