// Which time the history shows: up to now, or between two days.
import { useEffect } from 'preact/hooks';
import { Input, useTypedTexts } from '../form/inputs.js';
import { Link } from '../parts/link.js';
import { isDate } from '../calendar.js';
import { go, type Route } from '../route.js';
import { datesOf, SPAN_NAMES } from './range.js';
import { words } from '../words/words.js';

export function RangePicker({ route }: { readonly route: Route }) {
  const { range } = route;
  return (
    <div class="range">
      <nav class="tabs" aria-label={words.tank.time}>
        {SPAN_NAMES.map((span) => (
          <Link
            key={span}
            to={{ ...route, range: { span } }}
            aria-current={'span' in range && range.span === span ? 'true' : undefined}
            title={words.tank.spansLong[span]}
          >
            {words.tank.spans[span]}
          </Link>
        ))}
      </nav>
      <OwnRange route={route} />
    </div>
  );
}

function OwnRange({ route }: { readonly route: Route }) {
  const { range } = route;
  const [{ from, to }, setDates] = useTypedTexts<'from' | 'to'>(() => datesOf(range));
  useEffect(() => setDates(datesOf(range)), [range]);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (isDate(from) && isDate(to) && from <= to) go({ ...route, range: { from, to } });
  };
  return (
    <form class="own-range" onSubmit={submit}>
      <label>
        {words.tank.from}
        <Input
          type="date"
          required
          max={to}
          value={from}
          onType={(text) => setDates((dates) => ({ ...dates, from: text }))}
        />
      </label>
      <label>
        {words.tank.to}
        <Input
          type="date"
          required
          min={from}
          value={to}
          onType={(text) => setDates((dates) => ({ ...dates, to: text }))}
        />
      </label>
      <button type="submit" class={'from' in range ? 'chosen' : undefined}>
        {words.tank.show}
      </button>
    </form>
  );
}
