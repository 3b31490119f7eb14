// Search, use case, order, and whether a list, a plan or a map is shown.
import { useEffect, useRef } from 'preact/hooks';
import { Input, useTyped } from '../form/inputs.js';
import { count } from '../format.js';
import { usePage } from '../page.js';
import { Choice } from '../parts/choice.js';
import { Link } from '../parts/link.js';
import { go, SENSOR_NEEDS, sortOf, SORTS, USE_CASES } from '../route.js';
import { words } from '../words/words.js';

const SEARCH_AFTER_MS = 300;

interface Props {
  /** How many uplinks wait. */
  readonly waiting: number;
  /** The one tank that was found; Enter opens it. */
  readonly only: string | undefined;
}

export function Filters({ waiting, only }: Props) {
  const { route } = usePage();
  return (
    <div class="filters">
      <Search placeholder={words.list.searchFor} only={only} />
      <Choice
        label={words.fields.use_case}
        none={words.list.anyUseCase}
        choices={USE_CASES}
        inWords={(one) => words.useCases[one]}
        chosen={route.useCase}
        onChoose={(useCase) => go({ ...route, useCase, page: 1 })}
      />
      <Choice
        label={words.sensor.one}
        none={words.list.anySensor}
        choices={SENSOR_NEEDS}
        inWords={(need) => words.sensorNeeds[need]}
        chosen={route.sensorNeed}
        onChoose={(sensorNeed) => go({ ...route, sensorNeed, page: 1 })}
      />
      {route.view === 'list' && (
        <Choice
          label={words.list.order}
          choices={SORTS}
          inWords={(sort) => words.list.orders[sort]}
          chosen={sortOf(route)}
          onChoose={(sort) => go({ ...route, sort, page: 1 })}
        />
      )}
      <nav class="tabs" aria-label={words.list.view}>
        {(['list', 'plan', 'map'] as const).map((view) => (
          <Link
            key={view}
            to={{ ...route, view, page: 1 }}
            aria-current={route.view === view ? 'page' : undefined}
          >
            {words.views[view]}
          </Link>
        ))}
        {waiting > 0 && (
          <Link to={{ ...route, view: 'uplinks', page: 1 }} class="waiting">
            {words.list.waiting}
            <span class="wide">{words.list.waitingWide}</span> <strong>{count(waiting)}</strong>
          </Link>
        )}
      </nav>
    </div>
  );
}

interface SearchProps extends Partial<Pick<Props, 'only'>> {
  readonly placeholder: string;
}

/** Searches as one types, a moment after the last key. */
export function Search({ placeholder, only }: SearchProps) {
  const { route } = usePage();
  const [text, setText] = useTyped(route.search);
  const latest = useRef(route);
  latest.current = route;
  const sent = useRef(route.search);
  const find = () => {
    sent.current = text;
    go({ ...latest.current, search: text, page: 1 }, { replace: true });
  };
  // What was sent from here comes back a moment later, when more may be typed.
  useEffect(() => {
    if (route.search !== sent.current) setText(route.search);
    sent.current = route.search;
  }, [route.search]);
  useEffect(() => {
    if (text === latest.current.search) return undefined;
    const timer = setTimeout(find, SEARCH_AFTER_MS);
    return () => clearTimeout(timer);
  }, [text]);
  // Whoever presses Enter before the answer is there means what it finds.
  const isWanted = useRef(false);
  useEffect(() => {
    if (!isWanted.current || only === undefined || text !== route.search || text === '') return;
    isWanted.current = false;
    go({ ...route, tank: only });
  });
  const enter = (event: KeyboardEvent) => {
    isWanted.current = event.key === 'Enter';
    if (isWanted.current) find();
  };
  return (
    <label class="search">
      <span class="for-ears">{words.list.search}</span>
      <Input
        type="search"
        placeholder={placeholder}
        maxLength={100}
        autoComplete="off"
        spellcheck={false}
        value={text}
        onType={setText}
        onKeyDown={enter}
      />
    </label>
  );
}
