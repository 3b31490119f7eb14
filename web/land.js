// The outline of the land as one SVG path, made while bundling: the map then needs no foreign host and no map library.
// Web Mercator in a square of WORLD units, as web/map/projection.ts places the tanks.
import { geoMercator, geoPath } from 'd3-geo';
import { createRequire } from 'node:module';
import { feature } from 'topojson-client';

const WORLD = 16_384;

export function landPath() {
  const atlas = createRequire(import.meta.url)('world-atlas/land-50m.json');
  const [land] = feature(atlas, atlas.objects.land).features;
  const projection = geoMercator()
    .scale(WORLD / (2 * Math.PI))
    .translate([WORLD / 2, WORLD / 2])
    .precision(0);
  const pen = new Pen();
  const draw = geoPath(projection, pen);
  for (const coordinates of land.geometry.coordinates) {
    if (!isAntarctic(coordinates)) draw({ type: 'Polygon', coordinates });
  }
  return pen.path.replaceAll(/[ ,]-/g, '-');
}

/** On this projection it would take a third of the map. */
function isAntarctic([outline]) {
  return outline.every(([, latitude]) => latitude < -60);
}

/** Writes whole units, each relative to the one before: a third of the characters. */
class Pen {
  path = '';
  #at = [0, 0];

  moveTo(x, y) {
    this.#at = [0, 0];
    this.path += `M${this.#step(x, y)}l`;
  }

  lineTo(x, y) {
    const step = this.#step(x, y);
    if (step !== '0,0') this.path += `${step} `;
  }

  closePath() {
    this.path = `${this.path.trimEnd()}z`;
  }

  #step(x, y) {
    const to = [Math.round(x), Math.round(y)];
    const [dx, dy] = [to[0] - this.#at[0], to[1] - this.#at[1]];
    this.#at = to;
    return `${dx},${dy}`;
  }
}
