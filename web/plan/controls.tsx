// How far the plan looks ahead, and how full a delivery makes a tank.
import { Input, useTypedOver, type InputProps } from '../form/inputs.js';
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
  const setFill = (text: string) => {
    const fillTo = Number(text);
    if (fillTo >= 1 && fillTo <= 100) go({ ...route, fillTo }, { replace: true });
  };
  const setTruck = (text: string) => {
    const truck = Number(text);
    go({ ...route, truck: truck > 0 && truck <= 1e9 ? truck : undefined }, { replace: true });
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
        <Filter type="date" min={dateOf(now())} shown={dateOf(endOfPlan(route.until))} onMeant={setDate} />
      </label>
      <label>
        {words.plan.fillTo}
        <Filter
          type="number"
          min={1}
          max={100}
          step="any"
          shown={String(route.fillTo)}
          placeholder={String(START.fillTo)}
          onMeant={setFill}
        />
      </label>
      <label>
        {words.plan.truck}
        <Filter type="number" min={1} step="any" shown={String(route.truck ?? '')} onMeant={setTruck} />
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

interface FilterProps extends InputProps {
  readonly shown: string;
  readonly onMeant: (text: string) => void;
}

/** Counts as it is typed. */
function Filter({ shown, onMeant, ...more }: FilterProps) {
  const { value, onType, forget } = useTypedOver(shown);
  const type = (text: string) => {
    onType(text);
    onMeant(text);
  };
  return <Input {...more} value={value} onType={type} onBlur={forget} />;
}
