// What is said when something was not done.
import { ConnectionError } from 'tank-monitoring-client';
import { detailOf, type Trouble } from '../api/troubles.js';
import { Icon } from '../parts/icons.js';
import { RequestId } from '../parts/trouble.js';
import { counted } from '../words.js';

export interface Failure {
  readonly trouble: Trouble;
  /** How many fields it is about; their faults stand beside them. */
  readonly wrong: number;
}

export function FailureBanner({ failure: { trouble, wrong } }: { readonly failure: Failure }) {
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
