// Moving the map: dragged with a finger or the mouse, zoomed with the wheel or two fingers, or an area of it marked out. While it is
// moved only the picture changes; what is shown is made anew when it rests, or has moved far.
import { useEffect, useRef, useState } from 'preact/hooks';
import { MARKS_AROUND, moveFrom, RESTS_AFTER_MS } from './base-map.js';
import { zoomedAt, type Camera, type Size, type Spot } from './projection.js';

interface Moving {
  /** What is seen through. */
  readonly box: { readonly current: HTMLElement | null };
  /** What moves. */
  readonly layers: { readonly current: HTMLElement | null };
  readonly camera: Camera;
  readonly size: Size;
  readonly move: (to: Camera) => void;
  /** Undefined: a drag moves the map. */
  readonly onArea: ((area: DOMRect) => void) | undefined;
}

/** A click stays a click. */
const STILL_PX = 4;
const WHEEL_STEP = 600;
const MOST_ENLARGED = 1.6;

export function useMoving(moving: Moving): DOMRect | undefined {
  const latest = useRef(moving);
  latest.current = moving;
  const [area, setArea] = useState<DOMRect>();
  useEffect(() => {
    const box = moving.box.current;
    if (box === null) return undefined;
    const hand = new Hand(box, () => latest.current, setArea);
    return () => hand.letGo();
  }, []);
  return area;
}

class Hand {
  private readonly pointers = new Map<number, Spot>();
  private readonly listening = new AbortController();
  private start: Spot | undefined;
  private isMoving = false;
  private wheel = { by: 1, frame: 0, rest: 0 };
  /** Where the picture has been moved; what is shown is still of the camera before. */
  private to: Camera | undefined;

  constructor(
    private readonly box: HTMLElement,
    private readonly now: () => Moving,
    private readonly setArea: (area: DOMRect | undefined) => void,
  ) {
    const { signal } = this.listening;
    box.addEventListener('pointerdown', (event) => this.down(event), { signal });
    box.addEventListener('pointermove', (event) => this.drag(event), { signal });
    box.addEventListener('pointerup', (event) => this.up(event), { signal });
    box.addEventListener('pointercancel', (event) => this.up(event), { signal });
    box.addEventListener('wheel', (event) => this.turn(event), { signal, passive: false });
  }

  letGo(): void {
    this.listening.abort();
    cancelAnimationFrame(this.wheel.frame);
    clearTimeout(this.wheel.rest);
  }

  private spotOf({ clientX, clientY }: MouseEvent): Spot {
    const { left, top } = this.box.getBoundingClientRect();
    return { x: clientX - left, y: clientY - top };
  }

  private down(event: PointerEvent): void {
    this.settle(); // a click means what is seen
    const isControl = event.target instanceof Element && event.target.closest('button, .hover-card') !== null;
    if (event.button !== 0 || isControl) return;
    this.pointers.set(event.pointerId, this.spotOf(event));
    this.start = this.spotOf(event);
    this.isMoving = false;
  }

  private drag(event: PointerEvent): void {
    const before = this.pointers.get(event.pointerId);
    if (before === undefined || this.start === undefined) return;
    const here = this.spotOf(event);
    if (this.pointers.size === 2) return this.pinch(event.pointerId, before, here);
    if (!this.isMoving && Math.hypot(here.x - this.start.x, here.y - this.start.y) < STILL_PX) return;
    if (!this.isMoving) this.box.setPointerCapture(event.pointerId);
    this.isMoving = true;
    this.pointers.set(event.pointerId, here);
    const { camera, onArea } = this.now();
    if (onArea !== undefined) return this.setArea(areaOf(this.start, here));
    const { x, y, scale } = this.to ?? camera;
    this.show({ x: x - (here.x - before.x) / scale, y: y - (here.y - before.y) / scale, scale });
  }

  private pinch(id: number, before: Spot, here: Spot): void {
    const other = [...this.pointers].find(([key]) => key !== id)?.[1];
    if (other === undefined) return;
    this.pointers.set(id, here);
    this.isMoving = true;
    const apart = (spot: Spot) => Math.max(1, Math.hypot(spot.x - other.x, spot.y - other.y));
    this.zoom({ x: (here.x + other.x) / 2, y: (here.y + other.y) / 2 }, apart(here) / apart(before));
  }

  private zoom(pixel: Spot, by: number): void {
    const { camera, size } = this.now();
    this.show(zoomedAt(pixel, by, this.to ?? camera, size));
  }

  private show(to: Camera): void {
    const { camera, layers, size } = this.now();
    this.to = to;
    const by = to.scale / camera.scale;
    const isPast = (way: number, length: number) =>
      Math.abs(way) * to.scale > length * ((0.5 + MARKS_AROUND) * 0.95 * by - 0.5);
    const isFar =
      isPast(to.x - camera.x, size.width) || isPast(to.y - camera.y, size.height) || by > MOST_ENLARGED;
    if (isFar) this.settle();
    else if (layers.current !== null) layers.current.style.transform = moveFrom(camera, to);
  }

  /** Where the picture was moved becomes what is seen. */
  private settle(): void {
    const { layers, move } = this.now();
    if (this.to === undefined) return;
    if (layers.current !== null) layers.current.style.transform = '';
    move(this.to);
    this.to = undefined;
  }

  private up(event: PointerEvent): void {
    if (!this.pointers.delete(event.pointerId) || this.start === undefined) return;
    const { onArea } = this.now();
    if (this.isMoving && onArea !== undefined) onArea(areaOf(this.start, this.spotOf(event)));
    else if (this.pointers.size === 0) this.settle();
    this.setArea(undefined);
    if (this.isMoving) this.box.addEventListener('click', stop, { capture: true, once: true });
    setTimeout(() => this.box.removeEventListener('click', stop, { capture: true }));
    this.start = [...this.pointers.values()][0];
  }

  /** As often as the screen shows it, however often the wheel turns. */
  private turn(event: WheelEvent): void {
    event.preventDefault();
    const pixel = this.spotOf(event);
    const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 20 : 1;
    this.wheel.by *= 2 ** ((-event.deltaY * lines * (event.ctrlKey ? 5 : 1)) / WHEEL_STEP);
    cancelAnimationFrame(this.wheel.frame);
    clearTimeout(this.wheel.rest);
    this.wheel.frame = requestAnimationFrame(() => {
      this.zoom(pixel, this.wheel.by);
      this.wheel.by = 1;
      this.wheel.rest = setTimeout(() => this.settle(), RESTS_AFTER_MS);
    });
  }
}

/** Its edges are in order, whichever way it was drawn. */
function areaOf(from: Spot, to: Spot): DOMRect {
  return new DOMRect(from.x, from.y, to.x - from.x, to.y - from.y);
}

/** The end of a drag is no click on what happens to lie below. */
function stop(event: Event): void {
  event.preventDefault();
  event.stopPropagation();
}
