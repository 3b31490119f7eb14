// The marks on the map: one tank, or several in one place. Each state has its own shape. One of them is in the tab order;
// the arrow keys go from there to the others.
import { useRef, useState } from 'preact/hooks';
import { STATE_NAMES, statesOf, toneOf, type State } from '../parts/state.js';
import { Link } from '../parts/link.js';
import type { Route } from '../route.js';
import { count, counted, percent } from '../words.js';
import { SEVERITY, type Cluster, type PlacedTank } from './clusters.js';
import type { Spot } from './projection.js';

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
  const [current, setCurrent] = useState(0);
  // The worst come first to the keyboard, and are drawn last, on top.
  const drawn = marks.map((mark, index) => ({ ...mark, index })).toReversed();
  const reachable = Math.min(current, marks.length - 1);
  const onKeyDown = (event: KeyboardEvent) => {
    const to = target(event.key, reachable, marks.length);
    if (to === undefined) return;
    event.preventDefault();
    setCurrent(to);
    group.current?.querySelector<SVGElement>(`[data-mark="${to}"]`)?.focus();
  };
  const leave = () => onPoint(undefined);
  return (
    <g ref={group} onKeyDown={onKeyDown}>
      {drawn.map(({ x, y, cluster, index }) => {
        const point = () => onPoint({ x, y, cluster });
        const shared = {
          'data-mark': index,
          tabIndex: index === reachable ? 0 : -1,
          class: `mark mark-${toneOf(cluster.state)}`,
          transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})`,
          onFocus: () => {
            setCurrent(index);
            point();
          },
          onBlur: leave,
          onPointerEnter: point,
          onPointerLeave: leave,
        };
        const [only] = cluster.tanks;
        return cluster.tanks.length === 1 && only !== undefined ? (
          <TankMark key={only.tank.tank_id} placed={only} route={route} shared={shared} />
        ) : (
          <ClusterMark key={keyOf(cluster)} cluster={cluster} onOpen={onOpen} shared={shared} />
        );
      })}
    </g>
  );
}

interface Shared {
  readonly 'data-mark': number;
  readonly tabIndex: number;
  readonly class: string;
  readonly transform: string;
  readonly onFocus: () => void;
  readonly onBlur: () => void;
  readonly onPointerEnter: () => void;
  readonly onPointerLeave: () => void;
}

function TankMark(props: { readonly placed: PlacedTank; readonly route: Route; readonly shared: Shared }) {
  const { placed, route, shared } = props;
  const { tank, state } = placed;
  const words = inWords(placed);
  return (
    <Link {...shared} to={{ ...route, tank: tank.tank_id }} data-tank={tank.tank_id} aria-label={words}>
      <circle class="mark-reach" r="14" />
      <Shape state={state} />
    </Link>
  );
}

function ClusterMark(props: { cluster: Cluster; onOpen: (cluster: Cluster) => void; shared: Shared }) {
  const { cluster, onOpen, shared } = props;
  const words = clusterInWords(cluster);
  const open = () => onOpen(cluster);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' && event.key !== ' ') return;
    event.preventDefault();
    open();
  };
  const size = cluster.tanks.length;
  const radius = size < 10 ? 12 : size < 100 ? 15 : 19;
  return (
    <g {...shared} role="button" aria-label={words} onClick={open} onKeyDown={onKeyDown}>
      <circle class="mark-reach mark-cluster" r={radius + 4} />
      <Ring cluster={cluster} radius={radius} />
      <text dy="0.35em">{size < 10_000 ? size : `${Math.floor(size / 1_000)}k`}</text>
    </g>
  );
}

/** Around the number: how many of them are in which state, clockwise from the top, the worst first. */
function Ring({ cluster, radius }: { readonly cluster: Cluster; readonly radius: number }) {
  let from = 0;
  return (
    <g transform="rotate(-90)">
      {SEVERITY.map((state) => {
        const share = cluster.tanks.filter((placed) => placed.state === state).length / cluster.tanks.length;
        const start = from;
        from += share;
        return share === 0 ? null : (
          <circle
            key={state}
            class={`ring ring-${toneOf(state)}`}
            r={radius}
            pathLength={1}
            stroke-dasharray={`${share} 1`}
            stroke-dashoffset={-start}
          />
        );
      })}
    </g>
  );
}

export function Shape({ state }: { readonly state: State }) {
  if (state === 'empty') return <path class="mark-shape" d="M0 6-9-8H9zM-9 9H9" />;
  if (state === 'due') return <path class="mark-shape" d="M0-9 9 0 0 9-9 0z" />;
  if (state === 'low') return <path class="mark-shape" d="M0 9-9-7H9z" />;
  if (state === 'silent') return <path class="mark-shape" d="M-7-7H7V7H-7zM-7 7 7-7" />;
  return <circle class="mark-shape" r="7" />;
}

function inWords({ tank }: PlacedTank): string {
  const states = statesOf(tank).map((state) => STATE_NAMES[state].toLowerCase());
  const level = tank.fill_percentage === null ? '' : `, ${percent(tank.fill_percentage)}`;
  return `${tank.name}, ${tank.owner_name ?? 'owner deleted'}${level}, ${states.join(' and ')}`;
}

export function clusterInWords({ tanks }: Cluster): string {
  const worst = SEVERITY.filter((state) => state !== 'ok')
    .map((state) => [state, tanks.filter(({ tank }) => statesOf(tank).includes(state)).length] as const)
    .filter(([, n]) => n > 0)
    .map(([state, n]) => `${count(n)} ${STATE_NAMES[state].toLowerCase()}`);
  return [counted(tanks.length, 'tank'), ...worst].join(', ');
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
