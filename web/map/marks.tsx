// The marks on the map: one tank, or several in one place. Each state has its own shape. One of them is in the tab order;
// the arrow keys go from there to the others.
import { useMemo, useRef, useState } from 'preact/hooks';
import { STATES, toneOf, type State } from '../parts/state.js';
import { follow } from '../parts/link.js';
import { addressOf, type Route } from '../route.js';
import { count, percent, tenths } from '../format.js';
import { type Cluster, type PlacedTank } from './clusters.js';
import type { Spot } from './projection.js';
import { words } from '../words/words.js';

export interface Mark extends Spot {
  readonly cluster: Cluster;
}

interface Props {
  readonly marks: readonly Mark[];
  readonly route: Route;
  readonly onOpen: (cluster: Cluster) => void;
  readonly onPoint: (mark: Mark | undefined) => void;
}

export function Marks({ marks, route, onOpen, onPoint }: Props) {
  const group = useRef<SVGGElement>(null);
  const [current, setCurrent] = useState<string>();
  // The worst, if the one that had the focus last is gone.
  const reachable = Math.max(
    0,
    marks.findIndex(({ cluster }) => keyOf(cluster) === current),
  );
  // The worst come first to the keyboard, and are drawn last, on top.
  const drawn = marks.toReversed();
  const markOf = (event: Event) => {
    const element = event.target instanceof Element ? event.target.closest('.mark') : null;
    return drawn[[...(group.current?.children ?? [])].findIndex((one) => one === element)];
  };
  const onFocusIn = (event: FocusEvent) => {
    const mark = markOf(event);
    if (mark !== undefined) setCurrent(keyOf(mark.cluster));
    onPoint(mark);
  };
  const onClick = (event: MouseEvent) => {
    const { cluster } = markOf(event) ?? {};
    const only = cluster && onlyOf(cluster);
    if (only !== undefined) follow(event, { ...route, tank: only.tank.tank_id });
    else if (cluster !== undefined) onOpen(cluster);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const { cluster } = markOf(event) ?? {};
    const isPressed = event.key === 'Enter' || event.key === ' ';
    if (isPressed && cluster !== undefined && onlyOf(cluster) === undefined) {
      event.preventDefault();
      onOpen(cluster);
    }
    const to = target(event.key, reachable, marks.length);
    if (to === undefined) return;
    event.preventDefault();
    const element = group.current?.children[drawn.length - 1 - to];
    if (element instanceof SVGElement) element.focus();
  };
  const leave = () => onPoint(undefined);
  return (
    <g
      ref={group}
      tabindex={-1} // else chromium stops here, too, since it listens for the focus
      onClick={onClick}
      onKeyDown={onKeyDown}
      onFocusIn={onFocusIn}
      onFocusOut={leave}
      onPointerOver={(event) => onPoint(markOf(event))}
      onPointerLeave={leave}
    >
      {drawn.map((mark) => (
        <OneMark key={keyOf(mark.cluster)} {...mark} route={route} isReachable={mark === marks[reachable]} />
      ))}
    </g>
  );
}

/** Moving the map moves it; what is in it is made once. */
function OneMark({ x, y, cluster, route, isReachable }: Mark & { route: Route; isReachable: boolean }) {
  const only = onlyOf(cluster);
  const made = useMemo(() => {
    if (only === undefined) return { words: clusterInWords(cluster), content: <Ring {...cluster} /> };
    const content = (
      <>
        <circle class="mark-reach" r="14" />
        <Shape state={cluster.state} />
      </>
    );
    // For a new tab: a click knows the route as it is then.
    const href = addressOf({ ...route, tank: only.tank.tank_id });
    return { words: inWords(only), content, href };
  }, [cluster]);
  const shared = {
    'aria-label': made.words,
    tabindex: isReachable ? 0 : -1, // in SVG the case of its letters matters
    class: `mark mark-${toneOf(cluster.state)}`,
    transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})`,
  };
  return only === undefined ? (
    <g {...shared} role="button">
      {made.content}
    </g>
  ) : (
    <a {...shared} href={made.href} data-tank={only.tank.tank_id}>
      {made.content}
    </a>
  );
}

/** Around the number: how many of them are in which state, clockwise from the top, the worst first. */
function Ring({ tanks }: Cluster) {
  const radius = tanks.length < 10 ? 12 : tanks.length < 100 ? 15 : 19;
  let from = -0.25; // a circle begins at the right
  return (
    <>
      <circle class="mark-reach mark-cluster" r={radius + 4} />
      {STATES.map((state) => {
        const share = tanks.filter(({ states }) => states[0] === state).length / tanks.length;
        const start = from;
        from += share;
        return share === 0 ? null : (
          <circle
            key={state}
            class={`ring ring-${toneOf(state)}`}
            r={radius}
            pathLength={1}
            stroke-dasharray={share < 1 ? `${share} ${1 - share}` : undefined}
            stroke-dashoffset={-start}
          />
        );
      })}
      <text dy="0.35em">{inShort(tanks.length)}</text>
    </>
  );
}

/** Four figures would touch the ring. */
function inShort(size: number): string {
  return size < 1_000 ? String(size) : `${size < 9_950 ? tenths(size / 1_000) : count(size / 1_000)}k`;
}

function Shape({ state }: { readonly state: State }) {
  if (state === 'empty') return <path class="mark-shape" d="M0 6-9-8H9zM-9 9H9" />;
  if (state === 'due') return <path class="mark-shape" d="M0-9 9 0 0 9-9 0z" />;
  if (state === 'low') return <path class="mark-shape" d="M0 9-9-7H9z" />;
  if (state === 'silent') return <path class="mark-shape" d="M-7-7H7V7H-7zM-7 7 7-7" />;
  return <circle class="mark-shape" r="7" />;
}

/** What the shapes mean. */
export function Legend() {
  return (
    <ul class="legend" aria-label={words.map.legend}>
      {STATES.map((state) => (
        <li key={state}>
          <svg class={`mark mark-${toneOf(state)}`} viewBox="-11 -11 22 22" aria-hidden="true">
            <Shape state={state} />
          </svg>
          {words.states[state]}
        </li>
      ))}
      <li>{words.map.legendRing}</li>
    </ul>
  );
}

function inWords({ tank, states }: PlacedTank): string {
  const level = tank.fill_percentage === null ? '' : `, ${percent(tank.fill_percentage)}`;
  return `${tank.name}, ${tank.owner_name ?? words.ownerDeleted}${level}, ${states.map((state) => words.states[state].toLowerCase()).join(words.and)}`;
}

export function clusterInWords({ tanks }: Cluster): string {
  const worst = STATES.filter((state) => state !== 'ok')
    .map((state) => [state, tanks.filter(({ states }) => states.includes(state)).length] as const)
    .filter(([, n]) => n > 0)
    .map(([state, n]) => `${count(n)} ${words.states[state].toLowerCase()}`);
  return [words.tanks(tanks.length), ...worst].join(', ');
}

/** Undefined: there are several. */
export function onlyOf({ tanks }: Cluster): PlacedTank | undefined {
  return tanks.length === 1 ? tanks[0] : undefined;
}

function keyOf({ tanks }: Cluster): string {
  return `${tanks.length} ${tanks[0]?.tank.tank_id ?? ''}`;
}

function target(key: string, from: number, length: number): number | undefined {
  const steps: Record<string, number> = {
    ArrowRight: from + 1,
    ArrowDown: from + 1,
    ArrowLeft: from - 1,
    ArrowUp: from - 1,
    Home: 0,
    End: length - 1,
  };
  const to = steps[key];
  return to === undefined || length === 0 ? undefined : (to + length) % length;
}
