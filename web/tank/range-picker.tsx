// Which time the history shows: up to now, or between two days.
import { useEffect, useState } from 'preact/hooks';
import { Link } from '../parts/link.js';
import { go, isDate, SPANS, type Route, type Span } from '../route.js';
import { datesOf } from './range.js';

const LABELS: Record<Span, [short: string, long: string]> = {
  '24h': ['24 h', 'Last 24 hours'],
  '7d': ['7 d', 'Last 7 days'],
  '30d': ['30 d', 'Last 30 days'],
  '1y': ['1 y', 'Last year'],
};

export function RangePicker({ route }: { readonly route: Route }) {
  const { range } = route;
  return (
    <div class="range">
      <nav class="tabs" aria-label="Time shown">
        {SPANS.map((span) => (
          <Link
            key={span}
            to={{ ...route, range: { span } }}
            aria-current={'span' in range && range.span === span ? 'true' : undefined}
            title={LABELS[span][1]}
          >
            {LABELS[span][0]}
          </Link>
        ))}
      </nav>
      <OwnRange route={route} />
    </div>
  );
}

function OwnRange({ route }: { readonly route: Route }) {
  const { range } = route;
  const shown = datesOf(range);
  const [from, setFrom] = useState(shown.from);
  const [to, setTo] = useState(shown.to);
  useEffect(() => {
    setFrom(shown.from);
    setTo(shown.to);
  }, [range]);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (isDate(from) && isDate(to) && from <= to) go({ ...route, range: { from, to } });
  };
  return (
    <form class="own-range" onSubmit={submit}>
      <label>
        From
        <input
          type="date"
          required
          max={to}
          value={from}
          onInput={({ currentTarget }) => setFrom(currentTarget.value)}
        />
      </label>
      <label>
        to
        <input
          type="date"
          required
          min={from}
          value={to}
          onInput={({ currentTarget }) => setTo(currentTarget.value)}
        />
      </label>
      <button type="submit" class={'from' in range ? 'chosen' : undefined}>
        Show
      </button>
    </form>
  );
}
