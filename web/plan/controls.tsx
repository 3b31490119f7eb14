// How far the plan looks ahead, and how full a delivery makes a tank.
import { usePage } from '../page.js';
import { Link } from '../parts/link.js';
import { dateOf, isDate } from '../calendar.js';
import { Choice } from '../parts/choice.js';
import { go, PLAN_DAYS, PLAN_SORTS, sortOf, START } from '../route.js';
import { now } from '../api/clock.js';
import { endOfPlan } from './stops.js';
import { words } from '../words/words.js';

export function PlanControls() {
  const { route } = usePage();
  const setDate = (until: string) => {
    if (isDate(until)) go({ ...route, until }, { replace: true });
  };
  const setFill = (input: HTMLInputElement) => {
    const fillTo = input.valueAsNumber;
    if (fillTo >= 1 && fillTo <= 100) go({ ...route, fillTo }, { replace: true });
    else input.value = String(route.fillTo);
  };
  const setTruck = ({ valueAsNumber: truck }: HTMLInputElement) =>
    go({ ...route, truck: truck > 0 && truck <= 1e9 ? truck : undefined }, { replace: true });
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
          onInput={({ currentTarget }) => setDate(currentTarget.value)}
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
          onInput={({ currentTarget }) => setFill(currentTarget)}
        />
      </label>
      <label>
        {words.plan.truck}
        <input
          type="number"
          min={1}
          step="any"
          value={route.truck ?? ''}
          onInput={({ currentTarget }) => setTruck(currentTarget)}
        />
      </label>
      <Choice
        label={words.list.order}
        choices={PLAN_SORTS}
        inWords={(sort) => words.list.orders[sort]}
        chosen={sortOf(route)}
        onChoose={(sort) => go({ ...route, sort })}
      />
    </div>
  );
}
