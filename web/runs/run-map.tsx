// The stops of a run on the map, numbered, with the way between them. Loaded when somebody looks at it.
import { divIcon, latLngBounds, map as newMap, marker, polyline, type LatLngTuple } from 'leaflet';
import { useEffect, useRef } from 'preact/hooks';
import type { Run } from 'tank-monitoring-client';
import { addBaseMap, attribution } from '../map/base-map.js';
import { words } from '../words/words.js';

export function RunMap({ run: { start, stops } }: { readonly run: Run }) {
  const box = useRef<HTMLDivElement>(null);
  const places = stops.map(({ tank }): LatLngTuple | undefined => {
    const { latitude = null, longitude = null } = tank?.location ?? {};
    return latitude === null || longitude === null ? undefined : [latitude, longitude];
  });
  const known = places.filter((place) => place !== undefined);
  useEffect(() => {
    if (box.current === null || known.length === 0) return undefined;
    const map = newMap(box.current, {
      zoomControl: false,
      attributionControl: false,
      scrollWheelZoom: false,
    });
    map.createPane('names');
    const home: LatLngTuple | undefined = start === null ? known[0] : [start.latitude, start.longitude];
    const way = home === undefined ? known : [home, ...known, home];
    map.fitBounds(latLngBounds(way).pad(0.2), { maxZoom: 13, animate: false });
    const removeBase = addBaseMap(map, () => known.map((place) => map.latLngToLayerPoint(place)));
    polyline(way, { className: 'run-way', interactive: false }).addTo(map);
    for (const [i, place] of places.entries()) {
      if (place === undefined) continue;
      const html = Object.assign(document.createElement('span'), { textContent: String(i + 1) });
      const icon = divIcon({ html, className: 'run-mark', iconSize: [24, 24] });
      marker(place, { icon, interactive: false, keyboard: false }).addTo(map);
    }
    return () => {
      removeBase();
      map.remove();
    };
  }, [JSON.stringify([start, places])]);
  if (known.length === 0) return <p class="second">{words.runs.noPlaces}</p>;
  return (
    <div class="map-frame run-map" role="img" aria-label={words.runs.mapOf(stops.length)}>
      <div class="map-box" ref={box} />
      {attribution !== undefined && <p class="attribution">{attribution}</p>}
    </div>
  );
}
