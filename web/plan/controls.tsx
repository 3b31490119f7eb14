// How far the plan looks ahead, and how full a delivery makes a tank.
import { Link } from '../parts/link.js';
import { dateOf, isDate } from '../calendar.js';
import { go, PLAN_DAYS, START, type Route } from '../route.js';
import { now } from '../api/clock.js';
import { endOfPlan } from './stops.js';
import { words } from '../words/words.js';

export function PlanControls({ route }: { readonly route: Route }) {
  const setDate = (until: string) => {
    if (isDate(until)) go({ ...route, until }, { replace: true });
  };
  const setFill = (input: HTMLInputElement) => {
    const fillTo = input.valueAsNumber;
    if (fillTo >= 1 && fillTo <= 100) go({ ...route, fillTo }, { replace: true });
    else input.value = String(route.fillTo);
  };
  return (
    <div class="filters plan-controls">
      <nav class="tabs" aria-label={words.plan.ahead}>
        {PLAN_DAYS.map((days) => (
          <Link
            key={days}
            to={{ ...route, until: days }}
            aria-current={route.until === days ? 'true' : undefined}
          >
            {words.plan.days(days)}
          </Link>
        ))}
      </nav>
      <label>
        {words.plan.until}
        <input
          type="date"
          min={dateOf(now())}
          value={dateOf(endOfPlan(route.until))}
          onChange={({ currentTarget }) => setDate(currentTarget.value)}
        />
      </label>
      <label>
        {words.plan.fillTo}
        <input
          type="number"
          min={1}
          max={100}
          step="any"
          value={route.fillTo}
          placeholder={String(START.fillTo)}
          onChange={({ currentTarget }) => setFill(currentTarget)}
        />
      </label>
    </div>
  );
}
