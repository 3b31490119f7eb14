// Search, use case, order, and whether a list, a plan or a map is shown.
import { useEffect, useRef, useState } from 'preact/hooks';
import { Link } from '../parts/link.js';
import { go, sortOf, SORTS, USE_CASES, type Route } from '../route.js';
import { capitalised, count } from '../words.js';

const SEARCH_AFTER_MS = 300;

export const ORDERS = {
  fill_percentage: 'Emptiest first',
  alert_at: 'Next alert first',
  reported_at: 'Longest silent first',
  created_at: 'Newest tank first',
} as const;

interface Props {
  readonly route: Route;
  /** How many uplinks wait. */
  readonly waiting: number;
  /** The one tank that was found; Enter opens it. */
  readonly only: string | undefined;
}

export function Filters({ route, waiting, only }: Props) {
  return (
    <div class="filters">
      <Search route={route} placeholder="Name, id, device, owner, phone or place" only={only} />
      <label>
        Use case
        <select
          value={route.useCase ?? ''}
          onChange={({ currentTarget: { value } }) =>
            go({ ...route, useCase: USE_CASES.find((one) => one === value), page: 1 })
          }
        >
          <option value="">Any</option>
          {USE_CASES.map((useCase) => (
            <option key={useCase} value={useCase}>
              {capitalised(useCase)}
            </option>
          ))}
        </select>
      </label>
      {route.view === 'list' && (
        <label>
          Order
          <select
            value={sortOf(route)}
            onChange={({ currentTarget: { value } }) =>
              go({ ...route, sort: SORTS.find((one) => one === value), page: 1 })
            }
          >
            {SORTS.map((sort) => (
              <option key={sort} value={sort}>
                {ORDERS[sort]}
              </option>
            ))}
          </select>
        </label>
      )}
      <nav class="tabs" aria-label="View">
        {(['list', 'plan', 'map'] as const).map((view) => (
          <Link
            key={view}
            to={{ ...route, view, page: 1 }}
            aria-current={route.view === view ? 'page' : undefined}
          >
            {capitalised(view)}
          </Link>
        ))}
        {waiting > 0 && (
          <Link to={{ ...route, view: 'uplinks', page: 1 }} class="waiting">
            Waiting<span class="wide"> uplinks</span> <strong>{count(waiting)}</strong>
          </Link>
        )}
      </nav>
    </div>
  );
}

/** Searches as one types, a moment after the last key. */
interface SearchProps extends Pick<Props, 'route'> {
  readonly placeholder: string;
  readonly only?: string | undefined;
}

export function Search({ route, placeholder, only }: SearchProps) {
  const [text, setText] = useState(route.search);
  const latest = useRef(route);
  latest.current = route;
  useEffect(() => setText(route.search), [route.search]);
  useEffect(() => {
    if (text === latest.current.search) return undefined;
    const timer = setTimeout(
      () => go({ ...latest.current, search: text, page: 1 }, { replace: true }),
      SEARCH_AFTER_MS,
    );
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
    if (isWanted.current) go({ ...route, search: text, page: 1 }, { replace: true });
  };
  return (
    <label class="search">
      <span class="for-ears">Search</span>
      <input
        type="search"
        placeholder={placeholder}
        maxLength={100}
        autoComplete="off"
        spellcheck={false}
        value={text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
        onKeyDown={enter}
      />
    </label>
  );
}
