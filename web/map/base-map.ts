// What lies below the tanks: the operator's tiles, or land, borders and names that come with the page.
import { canvas, layerGroup, marker, polygon, polyline, tileLayer, divIcon } from 'leaflet';
import type { LatLngTuple, Layer, Map, Point } from 'leaflet';
import { LANGUAGE } from '../format.js';

/** Such as https://tiles.example.com/{z}/{x}/{y}.png, from the settings of the service. */
const tilesUrl = document.body.dataset['tiles'];
export const attribution =
  document.body.dataset['attribution'] ?? (tilesUrl === undefined ? 'Natural Earth, GeoNames' : undefined);
/** Pictures are sharp at whole steps only. */
export const isTiled = tilesUrl !== undefined;
export const NEAREST = 19;
const MOST_NAMES = 60;

interface Name {
  readonly at: LatLngTuple;
  /** In thousands; 0: it is a country. */
  readonly people: number;
  readonly text: string;
}

/** Loaded when somebody looks at a map: they are larger than all the rest of the page. */
async function loadParts() {
  const [land, borders, names] = await Promise.all([
    import('map:land'),
    import('map:borders'),
    import('map:names'),
  ]);
  return { land: linesIn(land.default), borders: linesIn(borders.default), names: namesIn(names.default) };
}

/** As land.js writes them. */
function linesIn(text: string): LatLngTuple[][] {
  return text.split('\n').map((line) => {
    const steps = line.split(' ').map(Number);
    let [x, y] = [0, 0];
    return Array.from({ length: steps.length / 2 }, (_, n): LatLngTuple => {
      [x, y] = [x + (steps[2 * n] ?? 0), y + (steps[2 * n + 1] ?? 0)];
      return [y / 100, x / 100];
    });
  });
}

const namesOfCountries = new Intl.DisplayNames(LANGUAGE, { type: 'region', style: 'short' });

function namesIn(text: string): Name[] {
  return text.split('\n').map((line) => {
    const [x = '', y = '', people = '', name = ''] = line.split('\t');
    const isCountry = people === '0' && name.length === 2;
    return {
      at: [Number(y), Number(x)],
      people: Number(people),
      text: (isCountry && namesOfCountries.of(name)) || name,
    };
  });
}

/** `marksIn`: where tanks are, of which names keep clear. Returns what takes it away. */
export function addBaseMap(map: Map, marksIn: () => readonly Point[]): () => void {
  const layers: Layer[] = [];
  let isGone = false;
  const add = async () => {
    if (tilesUrl !== undefined) {
      layers.push(tileLayer(tilesUrl, { maxZoom: NEAREST }).addTo(map));
      return;
    }
    const { land, borders, names } = await loadParts();
    if (isGone) return;
    const style = getComputedStyle(map.getContainer());
    const colour = (name: string) => style.getPropertyValue(`--${name}`).trim();
    const shared = { renderer: canvas({ padding: 0.5 }), interactive: false, weight: 1 };
    const ground = { ...shared, color: colour('coast'), fillColor: colour('land'), fillOpacity: 1 };
    const written = layerGroup().addTo(map);
    const write = () => writeNames(map, names, marksIn(), (one) => one.addTo(written.clearLayers()));
    layers.push(polygon(land, ground).addTo(map), written);
    layers.push(polyline(borders, { ...shared, color: colour('border') }).addTo(map));
    map.on('moveend', write);
    written.on('remove', () => map.off('moveend', write));
    write();
  };
  void add();
  return () => {
    isGone = true;
    for (const layer of layers) layer.remove();
  };
}

/** The largest first, where there is room. */
function writeNames(
  map: Map,
  names: readonly Name[],
  marks: readonly Point[],
  show: (layer: Layer) => void,
): void {
  const [zoom, seen] = [map.getZoom(), map.getBounds()];
  const least = 40_000 / 2 ** zoom / 8; // thousands of people: large cities from afar, towns from near
  const countries = 25 * 2 ** zoom; // the largest from afar
  const taken = marks.map(({ x, y }) => ({ x, y, half: 22, high: 22 }));
  const written: Layer[] = [];
  for (const [place, { at, people, text }] of names.entries()) {
    if (written.length >= MOST_NAMES) break;
    const isCountry = people === 0;
    if (isCountry ? zoom > 6 || place > countries : people < least) continue;
    if (!seen.contains(at)) continue;
    const { x, y } = map.latLngToLayerPoint(at);
    const half = text.length * (isCountry ? 4 : 3.3) + 4;
    const isFree = taken.every(
      (one) => Math.abs(one.x - x) > one.half + half || Math.abs(one.y - y) > one.high + 8,
    );
    if (!isFree) continue;
    taken.push({ x, y, half, high: 8 });
    const html = Object.assign(document.createElement('span'), { textContent: text });
    const icon = divIcon({ html, className: isCountry ? 'map-name map-country' : 'map-name' });
    written.push(marker(at, { icon, interactive: false, keyboard: false, pane: 'names' }));
  }
  show(layerGroup(written));
}
