// Four counts that are filters, the worst first.
import type { Fleet } from 'tank-monitoring-client';
import { Icon } from '../parts/icons.js';
import { Link } from '../parts/link.js';
import { CONDITIONS, type Condition, type Route } from '../route.js';
import { count } from '../words.js';

const LABELS: Record<Condition, string> = {
  low: 'Low',
  silent: 'Silent',
  never: 'Never reported',
  all: 'All tanks',
};

interface Props {
  readonly fleet: Fleet | undefined;
  readonly route: Route;
  /** They are those of a search or a filter. */
  readonly isPart: boolean;
}

export function Counts({ fleet, route, isPart }: Props) {
  return (
    <nav class="counts" aria-label="Tanks by state">
      {CONDITIONS.map((condition) => (
        <Link
          key={condition}
          to={{ ...route, condition, sort: undefined, page: 1 }}
          class={`count count-${condition}`}
          aria-current={route.condition === condition ? 'true' : undefined}
        >
          <span class="count-label">
            {condition !== 'all' && <Icon name={condition} />}
            {isPart && condition === 'all' ? 'All found' : LABELS[condition]}
          </span>
          <span class="count-number">{fleet === undefined ? ' ' : count(numberOf(condition, fleet))}</span>
          <span class="count-note">{fleet === undefined ? ' ' : noteOf(condition, fleet)}</span>
        </Link>
      ))}
      <p role="status" class="for-ears">
        {fleet !== undefined && inWords(fleet)}
      </p>
    </nav>
  );
}

/** Said aloud when a number changes. */
function inWords(fleet: Fleet): string {
  const parts = CONDITIONS.map(
    (condition) => `${count(numberOf(condition, fleet))} ${LABELS[condition].toLowerCase()}`,
  );
  return parts.join(', ');
}

function numberOf(condition: Condition, fleet: Fleet): number {
  const numbers = { low: fleet.low, silent: fleet.silent, never: fleet.never_reported, all: fleet.tanks };
  return numbers[condition];
}

function noteOf(condition: Condition, fleet: Fleet): string {
  const ok = fleet.reported - fleet.low - fleet.silent + fleet.low_and_silent;
  const notes = {
    low: fleet.low_and_silent === 0 ? 'at or below alert' : `${count(fleet.low_and_silent)} also silent`,
    silent: 'reports are overdue',
    never: '',
    all: `${count(ok)} no alarm`,
  };
  return notes[condition];
}
