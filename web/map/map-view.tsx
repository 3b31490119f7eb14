// The tanks on a map that comes with the page, or on the operator's own: no other host is asked for anything. Leaflet moves it,
// supercluster says which tanks are one mark.
import { latLngBounds, map as newMap, type LatLngBounds, type Map } from 'leaflet';
import 'leaflet/dist/leaflet.css';
import { render } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { TankStatus } from 'tank-monitoring-client';
import { usePage } from '../page.js';
import { Button } from '../parts/button.js';
import { useColourScheme } from '../parts/colour-scheme.js';
import { filterOf, go, textOf } from '../route.js';
import { words } from '../words/words.js';
import { addBaseMap, attribution, isTiled, NEAREST } from './base-map.js';
import { placesOf, type Mark } from './clusters.js';
import { HoverCard, Legend, Marks, type PlacedMark } from './marks.js';
import { TankLinks } from './tank-links.js';
import { useArea } from './use-area.js';

interface Props {
  readonly tanks: readonly TankStatus[] | undefined;
}

/** All tanks are shown no nearer than this, with room for the buttons in the corner. */
const ALL = { maxZoom: 8, padding: [76, 76] as [number, number], animate: false };
const WORLD = latLngBounds([-55, -130], [70, 150]);
const ADDRESS_AFTER_MS = 300;

export function MapView({ tanks = [] }: Props) {
  const { route } = usePage();
  const box = useRef<HTMLDivElement>(null);
  const [map, setMap] = useState<Map>();
  /** Moved, zoomed or resized: what is drawn on it is drawn anew. */
  const [moves, setMoves] = useState(0);
  const [here, setHere] = useState<readonly TankStatus[]>();
  const [pointed, setPointed] = useState<PlacedMark>();
  const [isMarking, setIsMarking] = useState(false);
  const places = useMemo(() => placesOf(tanks, NEAREST), [tanks]);
  const nowhere = useMemo(() => tanks.filter(({ location }) => location.latitude === null), [tanks]);
  const scheme = useColourScheme();
  const marks = useRef<readonly PlacedMark[]>([]);
  /** The mark that came apart: one of those that it became has it next. */
  const hadFocus = useRef(false);

  useEffect(() => {
    if (box.current === null) return undefined;
    const options = {
      zoomControl: false,
      attributionControl: false,
      minZoom: 0, // on a phone the world is no wider than it
      maxZoom: NEAREST,
      zoomSnap: isTiled ? 1 : 0.25,
    };
    const made = newMap(box.current, { ...options, maxBounds: [[-85, -200], [85, 200]], keyboard: false }); // prettier-ignore
    made.createPane('names').style.zIndex = '450';
    made.createPane('marks', made.getPane('mapPane')).classList.add('map-marks', 'leaflet-zoom-hide');
    made.on('moveend', () => setMoves((n) => n + 1));
    // Behind an open tank it has no size, and keeps its marks: one of them has the focus next.
    const resized = new ResizeObserver(([entry]) => entry?.contentRect.width && made.invalidateSize());
    resized.observe(box.current);
    setMap(made);
    return () => {
      resized.disconnect();
      made.remove();
    };
  }, []);
  useViewpoint(map, tanks, () => setHere(undefined));
  useEffect(() => map && addBaseMap(map, () => marks.current.map(({ point }) => point)), [map, scheme]);

  const open = (mark: Mark) => {
    const zoom = mark.cluster === undefined ? NEAREST : places.comesApartAt(mark.cluster);
    // Tanks on one site do not come apart, however near one looks: they are listed.
    if (mark.cluster !== undefined && zoom > NEAREST) setHere(places.tanksOf(mark.cluster));
    else {
      hadFocus.current = true;
      map?.setView([mark.latitude, mark.longitude], zoom, { animate: false });
    }
  };
  const focusMark = () => box.current?.querySelector<SVGElement>('.mark[tabindex="0"]')?.focus();
  useEffect(() => {
    const pane = map?.getPane('marks');
    if (map === undefined || pane === undefined || moves === 0) return;
    const seen = map.getBounds().pad(0.25);
    const bounds = [seen.getWest(), seen.getSouth(), seen.getEast(), seen.getNorth()] as const;
    marks.current = places.marksIn([...bounds], Math.round(map.getZoom())).map((mark) => ({
      ...mark,
      point: map.latLngToLayerPoint([mark.latitude, mark.longitude]),
    }));
    render(<Marks marks={marks.current} route={route} onOpen={open} onPoint={setPointed} />, pane);
    if (hadFocus.current) focusMark();
    hadFocus.current = false;
  }, [map, places, moves, route]);

  const plan = (bounds: LatLngBounds | undefined) => {
    const chosen = tanks.filter(({ location: { latitude, longitude } }) => {
      return latitude !== null && longitude !== null && bounds?.contains([latitude, longitude]);
    });
    setIsMarking(false);
    if (chosen.length > 0) go({ ...route, view: 'plan', chosen: chosen.map(({ tank_id }) => tank_id) });
  };
  const area = useArea(map, isMarking, plan);
  return (
    <div class="map">
      <div
        class={isMarking ? 'map-frame map-marking' : 'map-frame'}
        role="group"
        aria-label={words.map.label}
      >
        <div class="map-box" ref={box} />
        {area !== undefined && <div class="map-area" style={area} />}
        {map !== undefined && pointed !== undefined && !isMarking && <HoverCard mark={pointed} map={map} />}
        {attribution !== undefined && <p class="attribution">{attribution}</p>}
        <div class="map-buttons">
          <Button onClick={() => map?.zoomIn()} aria-label={words.map.zoomIn}>
            +
          </Button>
          <Button onClick={() => map?.zoomOut()} aria-label={words.map.zoomOut}>
            −
          </Button>
          <Button onClick={() => go({ ...route, viewpoint: undefined }, { replace: true })}>
            {words.map.showAll}
          </Button>
        </div>
      </div>
      <div class="actions">
        <Button aria-pressed={isMarking} onClick={() => setIsMarking(!isMarking)}>
          {isMarking ? words.map.drag : words.map.planArea}
        </Button>
        <Button onClick={() => plan(map?.getBounds())}>{words.map.planShown}</Button>
      </div>
      <Legend />
      {here !== undefined && (
        <TankLinks
          title={words.map.inThisPlace(here.length)}
          tanks={here}
          onClose={() => {
            setHere(undefined);
            focusMark();
          }}
        />
      )}
      {nowhere.length > 0 && (
        <details class="nowhere">
          <summary>{words.map.nowhere(nowhere.length)}</summary>
          <TankLinks tanks={nowhere} />
        </details>
      )}
    </div>
  );
}

/** What part of the map is seen, also in the address, a moment after it rests; another search shows all that was found. */
function useViewpoint(map: Map | undefined, tanks: readonly TankStatus[], onElsewhere: () => void) {
  const { route } = usePage();
  const latest = useRef(route);
  latest.current = route;
  const { viewpoint } = route;
  const shown = useRef<string>();
  const filter = JSON.stringify(filterOf(route));
  const filterBefore = useRef(filter);
  useEffect(() => {
    if (map === undefined) return undefined;
    let timer = 0;
    const note = () => {
      const { lat: latitude, lng: longitude } = map.getCenter();
      const now = { latitude, longitude, zoom: map.getZoom() };
      if (latest.current.view !== 'map' || latest.current.tank !== undefined) return;
      if (textOf(now) === shown.current) return;
      shown.current = textOf(now);
      go({ ...latest.current, viewpoint: now }, { replace: true });
    };
    map.on('moveend', () => {
      clearTimeout(timer);
      timer = setTimeout(note, ADDRESS_AFTER_MS);
    });
    return () => clearTimeout(timer);
  }, [map]);
  useEffect(() => {
    if (map === undefined) return;
    if (filterBefore.current !== filter) {
      filterBefore.current = filter;
      onElsewhere();
      if (viewpoint !== undefined) return go({ ...route, viewpoint: undefined }, { replace: true });
    }
    if (viewpoint === undefined) {
      const spots = tanks.flatMap(({ location: { latitude, longitude } }) =>
        latitude === null || longitude === null ? [] : [[latitude, longitude] as [number, number]],
      );
      map.fitBounds(spots.length === 0 ? WORLD : latLngBounds(spots), ALL);
      const { lat: latitude, lng: longitude } = map.getCenter();
      shown.current = textOf({ latitude, longitude, zoom: map.getZoom() });
    } else if (textOf(viewpoint) !== shown.current) {
      shown.current = textOf(viewpoint);
      map.setView([viewpoint.latitude, viewpoint.longitude], viewpoint.zoom, { animate: false });
    }
  }, [map, textOf(viewpoint), tanks, filter]);
}
