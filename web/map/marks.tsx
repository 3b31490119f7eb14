// The marks on the map: one tank, or several in one place. Each state has its own shape. One of them is in the tab order;
// the arrow keys go from there to the others.
import type { Map, Point } from 'leaflet';
import { useRef, useState } from 'preact/hooks';
import type { TankStatus } from 'tank-monitoring-client';
import { now } from '../api/clock.js';
import { count, percent, placeOf, tenths } from '../format.js';
import { whenInWords } from '../outlook.js';
import { follow } from '../parts/link.js';
import { LevelBar, STATES, States, statesOf, toneOf, type State } from '../parts/state.js';
import { addressOf, type Route } from '../route.js';
import type { Mark } from './clusters.js';
import { words } from '../words/words.js';

export interface PlacedMark extends Mark {
  readonly point: Point;
}

interface Props {
  /** The worst first. */
  readonly marks: readonly PlacedMark[];
  readonly route: Route;
  readonly onOpen: (mark: Mark) => void;
  readonly onPoint: (mark: PlacedMark | undefined) => void;
}

const STEPS: Readonly<Record<string, number>> = {
  ArrowRight: 1,
  ArrowDown: 1,
  ArrowLeft: -1,
  ArrowUp: -1,
};

export function Marks({ marks, route, onOpen, onPoint }: Props) {
  const group = useRef<SVGGElement>(null);
  const [current, setCurrent] = useState<string>();
  const found = marks.findIndex(({ id }) => id === current);
  // The worst, if the one that had the focus last is gone.
  const reachable = Math.max(0, found);
  // The worst come first to the keyboard, and are drawn last, on top.
  const drawn = marks.toReversed();
  const markOf = (event: Event) => {
    const element = event.target instanceof Element ? event.target.closest('.mark') : null;
    return drawn[[...(group.current?.children ?? [])].findIndex((one) => one === element)];
  };
  const onFocusIn = (event: FocusEvent) => {
    setCurrent(markOf(event)?.id);
    onPoint(markOf(event));
  };
  const onClick = (event: MouseEvent) => {
    const mark = markOf(event);
    if (mark?.tank !== undefined) follow(event, { ...route, tank: mark.tank.tank_id });
    else if (mark !== undefined) onOpen(mark);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const mark = markOf(event);
    const isPressed = event.key === 'Enter' || event.key === ' ';
    const ends: Readonly<Record<string, number>> = { Home: -reachable, End: marks.length - 1 - reachable };
    const step = STEPS[event.key] ?? ends[event.key];
    if (isPressed && mark !== undefined && mark.tank === undefined) {
      event.preventDefault();
      onOpen(mark);
    }
    if (step === undefined || marks.length === 0) return;
    event.preventDefault();
    const to = (reachable + step + marks.length) % marks.length;
    const element = group.current?.children[drawn.length - 1 - to];
    if (element instanceof SVGElement) element.focus();
  };
  const leave = () => onPoint(undefined);
  return (
    <svg class="map-image">
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
          <OneMark key={mark.id} mark={mark} route={route} isReachable={mark === marks[reachable]} />
        ))}
      </g>
    </svg>
  );
}

function OneMark({ mark, route, isReachable }: { mark: PlacedMark; route: Route; isReachable: boolean }) {
  const { tank, state, point } = mark;
  const shared = {
    'aria-label': tank === undefined ? severalInWords(mark) : inWords(tank),
    tabindex: isReachable ? 0 : -1, // in SVG the case of its letters matters
    class: `mark mark-${toneOf(state)}`,
    transform: `translate(${point.x} ${point.y})`,
  };
  if (tank === undefined) {
    return (
      <g {...shared} role="button">
        <Ring mark={mark} />
      </g>
    );
  }
  return (
    <a {...shared} href={addressOf({ ...route, tank: tank.tank_id })} data-tank={tank.tank_id}>
      <circle class="mark-reach" r="14" />
      <Shape state={state} />
    </a>
  );
}

/** Around the number: how many of them are in which state, clockwise from the top, the worst first. */
function Ring({ mark: { counts, size } }: { readonly mark: Mark }) {
  const radius = size < 10 ? 12 : size < 100 ? 15 : 19;
  let from = -0.25; // a circle begins at the right
  return (
    <>
      <circle class="mark-reach mark-cluster" r={radius + 4} />
      {STATES.map((state, place) => {
        const share = (counts[place] ?? 0) / size;
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
      <text dy="0.35em">{inShort(size)}</text>
    </>
  );
}

/** Four figures would touch the ring. */
function inShort(size: number): string {
  return size < 1_000 ? String(size) : `${size < 9_950 ? tenths(size / 1_000) : count(size / 1_000)}k`;
}

const SHAPES: Partial<Record<State, string>> = {
  empty: 'M0 6-9-8H9zM-9 9H9',
  due: 'M0-9 9 0 0 9-9 0z',
  low: 'M0 9-9-7H9z',
  silent: 'M-7-7H7V7H-7zM-7 7 7-7',
};

function Shape({ state }: { readonly state: State }) {
  const shape = SHAPES[state];
  return shape === undefined ? <circle class="mark-shape" r="7" /> : <path class="mark-shape" d={shape} />;
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

function inWords(tank: TankStatus): string {
  const level = tank.fill_percentage === null ? '' : `, ${percent(tank.fill_percentage)}`;
  const states = statesOf(tank).map((state) => words.states[state].toLowerCase());
  return `${tank.name}, ${tank.owner_name ?? words.ownerDeleted}${level}, ${states.join(words.and)}`;
}

function severalInWords({ counts, size }: Mark): string {
  const worst = STATES.map((state, place) => [state, counts[place] ?? 0] as const)
    .filter(([state, n]) => state !== 'ok' && n > 0)
    .map(([state, n]) => `${count(n)} ${words.states[state].toLowerCase()}`);
  return [words.tanks(size), ...worst].join(', ');
}

const WIDTH = 240;

/** What a mark stands for, beside it while it is pointed at. */
export function HoverCard({ mark, map }: { readonly mark: PlacedMark; readonly map: Map }) {
  const { x: width, y: height } = map.getSize();
  const { x, y } = map.layerPointToContainerPoint(mark.point);
  const left = Math.min(Math.max(x - WIDTH / 2, 8), Math.max(8, width - WIDTH - 8));
  const place = y < height / 2 ? { top: `${y + 16}px` } : { bottom: `${height - y + 16}px` };
  return (
    <div class="hover-card" aria-hidden="true" style={{ left: `${left}px`, width: `${WIDTH}px`, ...place }}>
      {mark.tank === undefined ? <p>{severalInWords(mark)}</p> : <OneTank tank={mark.tank} />}
    </div>
  );
}

function OneTank({ tank }: { readonly tank: TankStatus }) {
  const { fill_percentage: level, forecast } = tank;
  return (
    <>
      <p class="first">{tank.name}</p>
      <p class="second">
        {[tank.owner_name ?? words.ownerDeleted, placeOf(tank.location)].filter(Boolean).join(', ')}
      </p>
      {level !== null && <LevelBar tank={tank} />}
      {level !== null && <p>{percent(level)}</p>}
      {forecast?.alert != null && <p>{words.map.alert(whenInWords(forecast.alert, now()))}</p>}
      <States tank={tank} />
    </>
  );
}
