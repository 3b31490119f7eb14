// Four counts that are filters, the worst first.
import type { Fleet } from 'tank-monitoring-client';
import { usePage } from '../page.js';
import { Icon } from '../parts/icons.js';
import { Link } from '../parts/link.js';
import { CONDITIONS } from '../route.js';
import { count } from '../format.js';
import { words } from '../words/words.js';

interface Props {
  readonly fleet: Fleet | undefined;
  /** They are those of a search or a filter. */
  readonly isPart: boolean;
}

export function Counts({ fleet, isPart }: Props) {
  const { route } = usePage();
  const counts = fleet && countsOf(fleet);
  return (
    <nav class="counts" aria-label={words.list.byState}>
      {CONDITIONS.map((condition) => (
        <Link
          key={condition}
          to={{ ...route, condition, sort: undefined, page: 1 }}
          class={`count count-${condition}`}
          aria-current={route.condition === condition ? 'true' : undefined}
        >
          <span class="count-label">
            {condition !== 'all' && <Icon name={condition} />}
            {isPart && condition === 'all' ? words.list.allFound : words.list.counts[condition]}
          </span>
          <span class="count-number">{counts === undefined ? ' ' : count(counts[condition].number)}</span>
          <span class="count-note">{counts === undefined ? ' ' : counts[condition].note}</span>
        </Link>
      ))}
      <p role="status" class="for-ears">
        {counts !== undefined && inWords(counts)}
      </p>
    </nav>
  );
}

/** Said aloud when a number changes. */
function inWords(counts: ReturnType<typeof countsOf>): string {
  return CONDITIONS.map((one) => `${count(counts[one].number)} ${words.list.countsAloud[one]}`).join(', ');
}

function countsOf(fleet: Fleet) {
  const { low, silent, low_and_silent: both, reported } = fleet;
  return {
    low: { number: low, note: both === 0 ? words.list.atOrBelow : words.list.alsoSilent(both) },
    silent: { number: silent, note: words.list.overdue },
    never: { number: fleet.never_reported, note: '' },
    all: { number: fleet.tanks, note: words.list.noAlarm(reported - low - silent + both) },
  };
}
