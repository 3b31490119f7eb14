// Where a place lies on the map: Web Mercator in a square of WORLD units, as land.js draws the land; and what part of it is
// seen, in pixels.
import type { Viewpoint } from '../route.js';

export const WORLD = 16_384;
/** Mercator never reaches the poles. */
const NORTHERNMOST = 85;

export interface Spot {
  readonly x: number;
  readonly y: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** The spot in the middle, and how many pixels a unit has. */
export interface Camera extends Spot {
  readonly scale: number;
}

export function spotOf(latitude: number, longitude: number): Spot {
  const angle = (Math.min(Math.max(latitude, -NORTHERNMOST), NORTHERNMOST) * Math.PI) / 180;
  const north = Math.log(Math.tan(Math.PI / 4 + angle / 2));
  return { x: ((longitude + 180) / 360) * WORLD, y: (0.5 - north / (2 * Math.PI)) * WORLD };
}

/** At the nearest a screen is about a street wide. */
export const NEAREST = 2_000;
/** More than the buttons in the corner take. */
const MARGIN = 76;

/** The camera that shows all of them, without coming nearer than makes sense. */
export function fit(spots: readonly Spot[], size: Size, nearest = 4): Camera {
  if (spots.length === 0) return bounded({ x: WORLD / 2, y: WORLD * 0.4, scale: 0 }, size);
  let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity];
  for (const { x, y } of spots) {
    [left, right] = [Math.min(left, x), Math.max(right, x)];
    [top, bottom] = [Math.min(top, y), Math.max(bottom, y)];
  }
  const scale = Math.min(
    (size.width - 2 * MARGIN) / (right - left),
    (size.height - 2 * MARGIN) / (bottom - top),
    nearest,
  );
  return bounded({ x: (left + right) / 2, y: (top + bottom) / 2, scale }, size);
}

export function bounded({ x, y, scale }: Camera, size: Size): Camera {
  const farthest = Math.min(size.width, size.height) / WORLD;
  return {
    x: Math.min(Math.max(x, 0), WORLD),
    y: Math.min(Math.max(y, 0), WORLD),
    scale: Math.min(Math.max(scale, farthest), NEAREST),
  };
}

export function toPixels({ x, y }: Spot, camera: Camera, size: Size): Spot {
  return {
    x: (x - camera.x) * camera.scale + size.width / 2,
    y: (y - camera.y) * camera.scale + size.height / 2,
  };
}

/** The camera that leaves what is at a pixel there, and makes it `by` times as large. */
export function zoomedAt(pixel: Spot, by: number, camera: Camera, size: Size): Camera {
  const scale = bounded({ ...camera, scale: camera.scale * by }, size).scale;
  const [right, down] = [pixel.x - size.width / 2, pixel.y - size.height / 2];
  return {
    x: camera.x + right / camera.scale - right / scale,
    y: camera.y + down / camera.scale - down / scale,
    scale,
  };
}

/** As maps on the web count: at 0 the world is one tile of 256 pixels, and each step makes it twice as wide. */
const TILE = 256;
export const zoomOf = (scale: number): number => Math.log2((WORLD * scale) / TILE);

/** A camera as an address has it. */
export function viewpointOf({ x, y, scale }: Camera): Viewpoint {
  const north = (0.5 - y / WORLD) * 2 * Math.PI;
  const latitude = ((2 * Math.atan(Math.exp(north)) - Math.PI / 2) * 180) / Math.PI;
  return { latitude, longitude: (x / WORLD) * 360 - 180, zoom: zoomOf(scale) };
}

export function cameraAt({ latitude, longitude, zoom }: Viewpoint): Camera {
  return { ...spotOf(latitude, longitude), scale: (2 ** zoom * TILE) / WORLD };
}
