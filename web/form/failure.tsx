// What is said when something was not done.
import { ConnectionError } from 'tank-monitoring-client';
import { detailOf, type Trouble } from '../api/troubles.js';
import { Icon } from '../parts/icons.js';
import { RequestId } from '../parts/trouble.js';
import { counted } from '../words.js';

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
          <strong>{isUnknown ? 'No answer.' : 'Not done.'}</strong>{' '}
          {wrong === 0 ? detailOf(trouble) : `${counted(wrong, 'field')} to put right, marked above.`}
          {isUnknown && ' Try again: nothing is done twice.'}
        </p>
        {wrong === 0 && <RequestId trouble={trouble} />}
      </div>
    </div>
  );
}
