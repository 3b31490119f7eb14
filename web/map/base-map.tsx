// The land, the borders and the names below the tanks, on a canvas that is larger than what is seen: so moving the map moves a
// picture, which is drawn anew when the map rests.
import { useEffect, useRef, useState } from 'preact/hooks';
import { useColourScheme } from '../parts/colour-scheme.js';
import { toPixels, zoomOf, type Camera, type Size, type Spot } from './projection.js';

/** Drawn around what is seen, as a part of it, on each side: the land, and half as far the marks, which cost more. */
const AROUND = 0.5;
export const MARKS_AROUND = AROUND / 2;
export const RESTS_AFTER_MS = 90;
const MOST_NAMES = 90;

interface MapParts {
  readonly land: Path2D;
  readonly borders: Path2D;
  readonly names: readonly Name[];
}

interface Name {
  readonly x: number;
  readonly y: number;
  /** In thousands; 0: it is a country. */
  readonly people: number;
  readonly text: string;
}

interface Props {
  readonly camera: Camera;
  readonly size: Size;
  /** Names keep clear of them. */
  readonly marks: readonly Spot[];
}

export function BaseMap({ camera, size, marks }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const parts = useParts();
  const scheme = useColourScheme();
  const drawn = useRef<{ camera: Camera; size: Size }>();
  useEffect(() => {
    const element = canvas.current;
    if (element === null || parts === undefined) return undefined;
    const draw = () => {
      drawMap(element, parts, { camera, size, marks });
      element.style.transform = '';
      drawn.current = { camera, size };
    };
    const before = drawn.current;
    if (before === undefined || before.size !== size) {
      draw();
      return undefined;
    }
    element.style.transform = moveFrom(before.camera, camera);
    const timer = setTimeout(draw, RESTS_AFTER_MS);
    return () => clearTimeout(timer);
  }, [parts, camera, size, marks, scheme]);
  return <canvas class="base-map" ref={canvas} aria-hidden="true" />;
}

/** Loaded when somebody looks at a map: they are larger than all the rest of the page. */
function useParts(): MapParts | undefined {
  const [parts, setParts] = useState<MapParts>();
  useEffect(() => {
    const load = async () => {
      const [land, borders, names] = await Promise.all([
        import('map:land'),
        import('map:borders'),
        import('map:names'),
      ]);
      setParts({
        land: new Path2D(land.default),
        borders: new Path2D(borders.default),
        names: names.default.split('\n').map(nameOf),
      });
    };
    void load();
  }, []);
  return parts;
}

function nameOf(line: string): Name {
  const [x = '', y = '', people = '', text = ''] = line.split('\t');
  return { x: Number(x), y: Number(y), people: Number(people), text };
}

/** What was drawn for one camera, as another sees it, until it is drawn anew. */
export function moveFrom(before: Camera, now: Camera): string {
  const by = now.scale / before.scale;
  const [dx, dy] = [(before.x - now.x) * now.scale, (before.y - now.y) * now.scale];
  return `translate(${dx}px, ${dy}px) scale(${by})`;
}

function drawMap(canvas: HTMLCanvasElement, parts: MapParts, { camera, size, marks }: Props): void {
  const pen = canvas.getContext('2d');
  if (pen === null) return;
  const whole = { width: size.width * (1 + 2 * AROUND), height: size.height * (1 + 2 * AROUND) };
  canvas.width = whole.width * devicePixelRatio;
  canvas.height = whole.height * devicePixelRatio;
  const style = getComputedStyle(canvas);
  const colour = (name: string) => style.getPropertyValue(`--${name}`).trim();
  const origin = toPixels({ x: 0, y: 0 }, camera, whole);
  const scale = camera.scale * devicePixelRatio;
  pen.setTransform(scale, 0, 0, scale, origin.x * devicePixelRatio, origin.y * devicePixelRatio);
  pen.fillStyle = colour('land');
  pen.fill(parts.land);
  pen.lineWidth = 1 / camera.scale;
  pen.strokeStyle = colour('coast');
  pen.stroke(parts.land);
  pen.strokeStyle = colour('border');
  pen.stroke(parts.borders);
  pen.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0);
  pen.strokeStyle = colour('land');
  pen.textAlign = 'center';
  pen.fillStyle = colour('second');
  const rooms = marks.map(({ x, y }) => roomAt(x + size.width * AROUND, y + size.height * AROUND, 22, 22));
  writeNames(pen, parts.names, rooms, { camera, whole, family: style.fontFamily });
}

interface Room {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

const roomAt = (x: number, y: number, across: number, down: number): Room => ({
  left: x - across,
  right: x + across,
  top: y - down,
  bottom: y + down,
});

function isFree({ left, right, top, bottom }: Room, taken: readonly Room[]): boolean {
  return taken.every(
    (one) => one.left >= right || one.right <= left || one.top >= bottom || one.bottom <= top,
  );
}

/** The largest first, where there is room; below or above the tanks in their place. */
function writeNames(
  pen: CanvasRenderingContext2D,
  names: readonly Name[],
  marks: readonly Room[],
  { camera, whole, family }: { readonly camera: Camera; readonly whole: Size; readonly family: string },
): void {
  const zoom = zoomOf(camera.scale);
  const least = 40_000 / 2 ** zoom / 8; // thousands of people: large cities from afar, towns from near
  const taken: Room[] = [];
  pen.lineWidth = 3;
  pen.lineJoin = 'round';
  pen.textBaseline = 'middle';
  const countries = 25 * 2 ** zoom; // the largest from afar
  for (const [place, { x, y, people, text }] of names.entries()) {
    if (taken.length >= MOST_NAMES) return;
    const isCountry = people === 0;
    if (isCountry ? zoom > 6.5 || place > countries : people < least) continue;
    const at = toPixels({ x, y }, camera, whole);
    if (at.x < 0 || at.y < 0 || at.x > whole.width || at.y > whole.height) continue;
    pen.font = `${isCountry ? '600 12px' : '11px'} ${family}`;
    const half = pen.measureText(text).width / 2 + 4;
    // Beside its mark it is still the same town, but from afar another country.
    const rooms = (zoom > 6 ? [0, 31, -31] : [0]).map((aside) => roomAt(at.x, at.y + aside, half, 8));
    const room = rooms.find((one) => isFree(one, marks));
    if (room === undefined || !isFree(room, taken)) continue;
    taken.push(room);
    pen.strokeText(text, at.x, room.top + 8);
    pen.fillText(text, at.x, room.top + 8);
  }
}
