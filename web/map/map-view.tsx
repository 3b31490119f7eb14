// The tanks on a map of the land that comes with the page: no foreign host is asked for anything.
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { TankStatus } from 'tank-monitoring-client';
import { filterOf, type Route } from '../route.js';
import { counted } from '../words.js';
import { clustersOf, place, type Cluster } from './clusters.js';
import { Legend } from './legend.js';
import { Marks } from './marks.js';
import { bounded, fit, NEAREST, spotOf, toPixels, type Camera, type Size } from './projection.js';
import { TankLinks } from './tank-links.js';

interface Props {
  readonly tanks: readonly TankStatus[] | undefined;
  readonly route: Route;
}

const ZOOM = 1.8;

export function MapView({ tanks, route }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const size = useSize(box);
  const land = useLand();
  const filter = JSON.stringify(filterOf(route));
  const [moved, setMoved] = useState<Camera>();
  const [here, setHere] = useState<Cluster>();
  const isFocusLost = useRef(false);
  useEffect(() => {
    setMoved(undefined);
    setHere(undefined);
  }, [filter]);

  const placed = useMemo(() => place(tanks ?? [], spotOf), [tanks]);
  const nowhere = useMemo(() => (tanks ?? []).filter(hasNoPosition), [tanks]);
  const camera = moved ?? fit(placed, size);
  const clusters = useMemo(() => clustersOf(placed, camera.scale), [placed, camera.scale]);
  const marks = clusters
    .map((cluster) => ({ cluster, ...toPixels(cluster, camera, size) }))
    .filter(({ x, y }) => x > -20 && y > -20 && x < size.width + 20 && y < size.height + 20);

  const move = (to: Camera) => setMoved(bounded(to, size));
  const zoom = (by: number) => move({ ...camera, scale: camera.scale * by });
  const open = (cluster: Cluster) => {
    // Tanks on one site do not come apart, however near one looks: they are listed.
    if (clustersOf(cluster.tanks, NEAREST).length === 1) setHere(cluster);
    else {
      setMoved(fit(cluster.tanks, size, NEAREST));
      isFocusLost.current = true;
    }
  };
  const focusMark = () => box.current?.querySelector<SVGElement>('[data-mark][tabindex="0"]')?.focus();
  const close = () => {
    setHere(undefined);
    focusMark();
  };
  // The mark that was opened is gone; the worst of those that took its place goes on.
  useEffect(() => {
    if (isFocusLost.current) focusMark();
    isFocusLost.current = false;
  }, [moved]);
  const drag = useDrag(camera, move);
  const origin = toPixels({ x: 0, y: 0 }, camera, size);
  return (
    <div class="map">
      <div
        class="map-box"
        ref={box}
        role="group"
        aria-label="Map of the tanks; the arrow keys go from one to the next"
      >
        <svg class="map-image" width={size.width} height={size.height} {...drag}>
          <path
            class="land"
            d={land}
            transform={`translate(${origin.x} ${origin.y}) scale(${camera.scale})`}
          />
          <Marks marks={marks} route={route} onOpen={open} />
        </svg>
        <div class="map-buttons">
          <button type="button" onClick={() => zoom(ZOOM)} aria-label="Zoom in">
            +
          </button>
          <button type="button" onClick={() => zoom(1 / ZOOM)} aria-label="Zoom out">
            −
          </button>
          <button type="button" onClick={() => setMoved(undefined)}>
            Show all
          </button>
        </div>
      </div>
      <Legend />
      {here !== undefined && (
        <TankLinks
          title={`${counted(here.tanks.length, 'tank')} in this place`}
          tanks={here.tanks.map(({ tank }) => tank)}
          route={route}
          onClose={close}
        />
      )}
      {nowhere.length > 0 && (
        <details class="nowhere">
          <summary>
            {counted(nowhere.length, 'tank')} without a position {nowhere.length === 1 ? 'is' : 'are'} not on
            the map
          </summary>
          <TankLinks tanks={nowhere} route={route} />
        </details>
      )}
    </div>
  );
}

function hasNoPosition({ location }: TankStatus): boolean {
  return location.latitude === null || location.longitude === null;
}

/** Loaded when somebody looks at a map: it is larger than all the rest of the page. */
function useLand(): string {
  const [land, setLand] = useState('');
  useEffect(() => {
    void import('land-path').then((module) => setLand(module.default));
  }, []);
  return land;
}

function useSize(box: { readonly current: HTMLElement | null }): Size {
  const [size, setSize] = useState<Size>({ width: 800, height: 480 });
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    const read = () => {
      // Hidden behind a tank it has none; it keeps the one it had.
      if (element.clientWidth > 0) setSize({ width: element.clientWidth, height: element.clientHeight });
    };
    const observer = new ResizeObserver(read);
    observer.observe(element);
    read();
    return () => observer.disconnect();
  }, []);
  return size;
}

/** Moves the map with the pointer; a click stays a click. */
function useDrag(camera: Camera, move: (to: Camera) => void) {
  const grip = useRef<{ x: number; y: number; camera: Camera; isMoving: boolean }>();
  return {
    onPointerDown: ({ clientX: x, clientY: y, button }: PointerEvent) => {
      if (button === 0) grip.current = { x, y, camera, isMoving: false };
    },
    onPointerMove: (event: PointerEvent) => {
      const held = grip.current;
      if (held === undefined || !(event.currentTarget instanceof SVGElement)) return;
      const [dx, dy] = [event.clientX - held.x, event.clientY - held.y];
      if (!held.isMoving && Math.hypot(dx, dy) < 4) return;
      if (!held.isMoving) event.currentTarget.setPointerCapture(event.pointerId);
      held.isMoving = true;
      const { scale } = held.camera;
      move({ x: held.camera.x - dx / scale, y: held.camera.y - dy / scale, scale });
    },
    onPointerUp: () => {
      grip.current = undefined;
    },
    onPointerCancel: () => {
      grip.current = undefined;
    },
  };
}
