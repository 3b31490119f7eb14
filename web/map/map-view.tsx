// The tanks on a map that comes with the page, or on the operator's own: no other host is asked for anything.
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { TankStatus } from 'tank-monitoring-client';
import { filterOf, go, textOf, type Route } from '../route.js';
import { BaseMap, MARKS_AROUND } from './base-map.js';
import { clusterScale, clustersOf, place, type Cluster } from './clusters.js';
import { HoverCard } from './hover-card.js';
import { Legend, Marks, type Mark } from './marks.js';
import {
  bounded,
  cameraAt,
  fit,
  NEAREST,
  toPixels,
  viewpointOf,
  type Camera,
  type Size,
} from './projection.js';
import { TankLinks } from './tank-links.js';
import { attribution, Tiles, tilesUrl } from './tiles.js';
import { useMoving } from './use-moving.js';
import { words } from '../words/words.js';

interface Props {
  readonly tanks: readonly TankStatus[] | undefined;
  readonly route: Route;
}

const ZOOM = 1.8;

export function MapView({ tanks, route }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const layers = useRef<HTMLDivElement>(null);
  const size = useSize(box);
  const [here, setHere] = useState<Cluster>();
  const [pointed, setPointed] = useState<Mark>();
  const [isMarking, setIsMarking] = useState(false);
  const isFocusLost = useRef(false);

  const placed = useMemo(() => place(tanks ?? []), [tanks]);
  const nowhere = useMemo(() => (tanks ?? []).filter(hasNoPosition), [tanks]);
  const { moved, move, showAll } = useCamera(route, size, () => setHere(undefined));
  const camera = useMemo(() => moved ?? fit(placed, size), [moved, placed, size]);
  const scale = clusterScale(camera.scale);
  const clusters = useMemo(() => clustersOf(placed, scale), [placed, scale]);
  const marks = useMemo(() => marksOf(clusters, camera, size), [clusters, camera, size]);

  const zoom = (by: number) => move({ ...camera, scale: camera.scale * by });
  const open = (cluster: Cluster) => {
    // Tanks on one site do not come apart, however near one looks: they are listed.
    if (clustersOf(cluster.tanks, NEAREST).length === 1) setHere(cluster);
    else {
      move(fit(cluster.tanks, size, NEAREST));
      isFocusLost.current = true;
    }
  };
  const focusMark = () => box.current?.querySelector<SVGElement>('.mark[tabindex="0"]')?.focus();
  const close = () => {
    setHere(undefined);
    focusMark();
  };
  // The mark that was opened is gone; the worst of those that took its place goes on.
  useEffect(() => {
    if (isFocusLost.current) focusMark();
    isFocusLost.current = false;
  }, [moved]);
  const plan = ({ left, right, top, bottom }: DOMRect) => {
    const chosen = placed.filter((spot) => {
      const { x, y } = toPixels(spot, camera, size);
      return x >= left && x <= right && y >= top && y <= bottom;
    });
    setIsMarking(false);
    if (chosen.length > 0) go({ ...route, view: 'plan', chosen: chosen.map(({ tank }) => tank.tank_id) });
  };
  const area = useMoving({ box, layers, camera, size, move, onArea: isMarking ? plan : undefined });
  return (
    <div class="map">
      <div
        class={isMarking ? 'map-box map-marking' : 'map-box'}
        ref={box}
        role="group"
        aria-label={words.map.label}
      >
        <div class="map-layers" ref={layers}>
          {tilesUrl === undefined ? (
            <BaseMap camera={camera} size={size} marks={marks} />
          ) : (
            <Tiles camera={camera} size={size} />
          )}
          <svg class="map-image" width={size.width} height={size.height}>
            <Marks marks={marks} route={route} onOpen={open} onPoint={setPointed} />
          </svg>
        </div>
        {area !== undefined && <div class="map-area" style={frameOf(area)} />}
        {pointed !== undefined && !isMarking && <HoverCard mark={pointed} size={size} />}
        {attribution !== undefined && <p class="attribution">{attribution}</p>}
        <div class="map-buttons">
          <button type="button" onClick={() => zoom(ZOOM)} aria-label={words.map.zoomIn}>
            +
          </button>
          <button type="button" onClick={() => zoom(1 / ZOOM)} aria-label={words.map.zoomOut}>
            −
          </button>
          <button type="button" onClick={showAll}>
            {words.map.showAll}
          </button>
        </div>
      </div>
      <div class="actions">
        <button type="button" aria-pressed={isMarking} onClick={() => setIsMarking(!isMarking)}>
          {isMarking ? words.map.drag : words.map.planArea}
        </button>
        <button type="button" onClick={() => plan(new DOMRect(0, 0, size.width, size.height))}>
          {words.map.planShown}
        </button>
      </div>
      <Legend />
      {here !== undefined && (
        <TankLinks
          title={words.map.inThisPlace(here.tanks.length)}
          tanks={here.tanks.map(({ tank }) => tank)}
          route={route}
          onClose={close}
        />
      )}
      {nowhere.length > 0 && (
        <details class="nowhere">
          <summary>{words.map.nowhere(nowhere.length)}</summary>
          <TankLinks tanks={nowhere} route={route} />
        </details>
      )}
    </div>
  );
}

const ADDRESS_AFTER_MS = 300;

/** What part of the map is seen, also in the address, a moment after it rests; another search shows all that was found. */
function useCamera(route: Route, size: Size, onElsewhere: () => void) {
  const { viewpoint } = route;
  const [moved, setMoved] = useState(() => viewpoint && cameraAt(viewpoint));
  const inAddress = useRef(textOf(viewpoint));
  const latest = useRef(route);
  latest.current = route;
  const filter = JSON.stringify(filterOf(route));
  const isFirst = useRef(true);
  useEffect(() => {
    if (!isFirst.current) {
      setMoved(undefined);
      onElsewhere();
    }
    isFirst.current = false;
  }, [filter]);
  // The way back, or another address.
  useEffect(() => {
    if (textOf(viewpoint) === inAddress.current) return;
    inAddress.current = textOf(viewpoint);
    setMoved(viewpoint && cameraAt(viewpoint));
  }, [viewpoint]);
  useEffect(() => {
    const timer = setTimeout(() => {
      const now = moved && viewpointOf(moved);
      if (latest.current.view !== 'map' || latest.current.tank !== undefined) return;
      if (textOf(now) === inAddress.current) return;
      inAddress.current = textOf(now);
      go({ ...latest.current, viewpoint: now }, { replace: true });
    }, ADDRESS_AFTER_MS);
    return () => clearTimeout(timer);
  }, [moved]);
  return {
    moved,
    move: (to: Camera) => setMoved(bounded(to, size)),
    showAll: () => setMoved(undefined),
  };
}

/** Also what a drag may bring into sight. */
function marksOf(clusters: readonly Cluster[], camera: Camera, size: Size): Mark[] {
  const isNear = (way: number, length: number) =>
    Math.abs(way) * camera.scale < length * (0.5 + MARKS_AROUND);
  return clusters
    .filter(({ x, y }) => isNear(x - camera.x, size.width) && isNear(y - camera.y, size.height))
    .map((cluster) => ({ cluster, ...toPixels(cluster, camera, size) }));
}

function frameOf({ left, right, top, bottom }: DOMRect) {
  return { left: `${left}px`, top: `${top}px`, width: `${right - left}px`, height: `${bottom - top}px` };
}

function hasNoPosition({ location }: TankStatus): boolean {
  return location.latitude === null || location.longitude === null;
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
