// What is said when something was not done.
import { ConnectionError } from 'tank-monitoring-client';
import { detailOf, type Trouble } from '../api/troubles.js';
import { Icon } from '../parts/icons.js';
import { RequestId } from '../parts/trouble.js';
import { words } from '../words/words.js';

interface Props {
  readonly trouble: Trouble | undefined;
  /** How many fields it is about; their faults stand beside them. */
  readonly wrong?: number;
}

export function FailureBanner({ trouble, wrong = 0 }: Props) {
  if (trouble === undefined) return null;
  const isUnknown = trouble instanceof ConnectionError;
  return (
    <div class="trouble">
      <Icon name="warning" />
      <div>
        <p role="alert">
          <strong>{isUnknown ? words.trouble.noAnswer : words.trouble.notDone}</strong>{' '}
          {wrong === 0 ? detailOf(trouble) : words.trouble.toPutRight(wrong)}
          {isUnknown && words.trouble.notTwice}
        </p>
        {wrong === 0 && <RequestId trouble={trouble} />}
      </div>
    </div>
  );
}
