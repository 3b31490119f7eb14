// The pictures of the operator's tile server, where there is one, in place of the map that comes with the page.
import { MARKS_AROUND } from './base-map.js';
import { toPixels, WORLD, zoomOf, type Camera, type Size } from './projection.js';

/** Such as https://tiles.example.com/{z}/{x}/{y}.png, from the settings of the service. */
export const tilesUrl = document.body.dataset['tiles'];
export const attribution =
  document.body.dataset['attribution'] ?? (tilesUrl === undefined ? 'Natural Earth, GeoNames' : undefined);
const NEAREST_ZOOM = 19;

export function Tiles({ camera, size }: { readonly camera: Camera; readonly size: Size }) {
  if (tilesUrl === undefined) return null;
  const zoom = Math.min(Math.max(Math.round(zoomOf(camera.scale)), 0), NEAREST_ZOOM);
  const across = 2 ** zoom;
  const side = WORLD / across;
  const seen = (middle: number, length: number) => {
    const half = (length * (0.5 + MARKS_AROUND)) / camera.scale;
    const first = Math.max(0, Math.floor((middle - half) / side));
    const last = Math.min(across - 1, Math.floor((middle + half) / side));
    return Array.from({ length: Math.max(0, last - first + 1) }, (_, n) => first + n);
  };
  const pixels = Math.ceil(side * camera.scale);
  return (
    <div class="tiles" aria-hidden="true">
      {seen(camera.y, size.height).flatMap((y) =>
        seen(camera.x, size.width).map((x) => {
          const at = toPixels({ x: x * side, y: y * side }, camera, size);
          return (
            <img
              key={`${zoom}/${x}/${y}`}
              src={addressOf(zoom, x, y)}
              alt=""
              width={pixels}
              height={pixels}
              style={{ transform: `translate(${Math.round(at.x)}px, ${Math.round(at.y)}px)` }}
            />
          );
        }),
      )}
    </div>
  );
}

function addressOf(z: number, x: number, y: number): string | undefined {
  return tilesUrl?.replace('{z}', String(z)).replace('{x}', String(x)).replace('{y}', String(y));
}
