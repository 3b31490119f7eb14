// An area of the map that is marked out with the mouse or a finger.
import { latLngBounds, type LatLngBounds, type Map } from 'leaflet';
import { useEffect, useState } from 'preact/hooks';

interface Corner {
  readonly x: number;
  readonly y: number;
}

/** The frame as it is drawn, as a style. */
export function useArea(map: Map | undefined, isMarking: boolean, onArea: (area: LatLngBounds) => void) {
  const [corners, setCorners] = useState<readonly [Corner, Corner]>();
  useEffect(() => {
    if (map === undefined || !isMarking) return undefined;
    const box = map.getContainer();
    const listening = new AbortController();
    const { signal } = listening;
    let start: Corner | undefined;
    const cornerOf = (event: PointerEvent): Corner => map.mouseEventToContainerPoint(event);
    map.dragging.disable();
    box.addEventListener('pointerdown', (event) => (start = cornerOf(event)), { signal });
    box.addEventListener('pointermove', (event) => start && setCorners([start, cornerOf(event)]), { signal });
    const end = (event: PointerEvent) => {
      if (start === undefined) return;
      const [one, other] = [start, cornerOf(event)].map(({ x, y }) => map.containerPointToLatLng([x, y]));
      start = undefined;
      setCorners(undefined);
      if (one !== undefined && other !== undefined) onArea(latLngBounds(one, other));
    };
    addEventListener('pointerup', end, { signal });
    return () => {
      listening.abort();
      map.dragging.enable();
    };
  }, [map, isMarking]);
  if (corners === undefined) return undefined;
  const [a, b] = corners;
  const [left, top] = [Math.min(a.x, b.x), Math.min(a.y, b.y)];
  const [width, height] = [Math.abs(a.x - b.x), Math.abs(a.y - b.y)];
  return { left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px` };
}
