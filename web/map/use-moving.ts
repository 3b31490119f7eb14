// Moving the map: dragged with a finger or the mouse, zoomed with the wheel or two fingers, or an area of it marked out. While it is
// dragged only the picture moves; what is shown is made anew when it rests, or has moved far.
import { useEffect, useRef, useState } from 'preact/hooks';
import { AROUND } from './base-map.js';
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
  readonly onArea: ((from: Spot, to: Spot) => void) | undefined;
}

export interface Area {
  readonly from: Spot;
  readonly to: Spot;
}

/** A click stays a click. */
const STILL_PX = 4;
const WHEEL_STEP = 600;

export function useMoving(moving: Moving): Area | undefined {
  const latest = useRef(moving);
  latest.current = moving;
  const [area, setArea] = useState<Area>();
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
  private wheel = { by: 1, frame: 0 };

  constructor(
    private readonly box: HTMLElement,
    private readonly now: () => Moving,
    private readonly setArea: (area: Area | undefined) => void,
  ) {
    const on = (type: string, listener: (event: never) => void) =>
      box.addEventListener(type, listener as EventListener, {
        signal: this.listening.signal,
        passive: false,
      });
    on('pointerdown', (event: PointerEvent) => this.down(event));
    on('pointermove', (event: PointerEvent) => this.drag(event));
    on('pointerup', (event: PointerEvent) => this.up(event));
    on('pointercancel', (event: PointerEvent) => this.up(event));
    on('wheel', (event: WheelEvent) => this.turn(event));
  }

  letGo(): void {
    this.listening.abort();
    cancelAnimationFrame(this.wheel.frame);
  }

  private spotOf({ clientX, clientY }: MouseEvent): Spot {
    const { left, top } = this.box.getBoundingClientRect();
    return { x: clientX - left, y: clientY - top };
  }

  private down(event: PointerEvent): void {
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
    const [dx, dy] = [here.x - this.start.x, here.y - this.start.y];
    if (!this.isMoving && Math.hypot(dx, dy) < STILL_PX) return;
    if (!this.isMoving) this.box.setPointerCapture(event.pointerId);
    this.isMoving = true;
    this.pointers.set(event.pointerId, here);
    const { layers, onArea, size } = this.now();
    if (onArea !== undefined) return this.setArea({ from: this.start, to: here });
    if (layers.current !== null) layers.current.style.transform = `translate(${dx}px, ${dy}px)`;
    const isFar = Math.abs(dx) > size.width * AROUND * 0.9 || Math.abs(dy) > size.height * AROUND * 0.9;
    if (isFar) this.settle(here);
  }

  /** What was dragged becomes what is seen. */
  private settle(here: Spot): void {
    const { start } = this;
    if (start === undefined) return;
    const { camera, layers, move } = this.now();
    if (layers.current !== null) layers.current.style.transform = '';
    const [dx, dy] = [here.x - start.x, here.y - start.y];
    move({ ...camera, x: camera.x - dx / camera.scale, y: camera.y - dy / camera.scale });
    this.start = here;
  }

  private pinch(id: number, before: Spot, here: Spot): void {
    const other = [...this.pointers].find(([key]) => key !== id)?.[1];
    if (other === undefined) return;
    this.pointers.set(id, here);
    this.isMoving = true;
    const apart = (spot: Spot) => Math.max(1, Math.hypot(spot.x - other.x, spot.y - other.y));
    const { camera, size, move } = this.now();
    const middle = { x: (here.x + other.x) / 2, y: (here.y + other.y) / 2 };
    move(zoomedAt(middle, apart(here) / apart(before), camera, size));
    this.start = here;
  }

  private up(event: PointerEvent): void {
    if (!this.pointers.delete(event.pointerId) || this.start === undefined) return;
    const here = this.spotOf(event);
    const { onArea } = this.now();
    if (this.isMoving && onArea !== undefined) onArea(this.start, here);
    else if (this.isMoving && this.pointers.size === 0) this.settle(here);
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
    this.wheel.frame = requestAnimationFrame(() => {
      const { camera, size, move } = this.now();
      move(zoomedAt(pixel, this.wheel.by, camera, size));
      this.wheel.by = 1;
    });
  }
}

/** The end of a drag is no click on what happens to lie below. */
function stop(event: Event): void {
  event.preventDefault();
  event.stopPropagation();
}
