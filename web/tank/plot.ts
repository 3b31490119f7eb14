// The plot itself, drawn by uPlot: the band between lowest and highest, the line of the means, broken at gaps and never
// bridged, silence hatched, the alert level dashed, refills and events marked, and to the right of now what is expected, dashed, with its band.
import UPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { HAPPENINGS } from '../events/words.js';
import { SHAPES } from '../parts/icons.js';
import { LOCALE, percent } from '../words.js';
import type { Timeline } from './timeline.js';

const HEIGHT = 320;
const DAY_SECONDS = 86_400;

export class Plot {
  private readonly chart: UPlot;
  private readonly resized: ResizeObserver;

  constructor(
    box: HTMLElement,
    private readonly timeline: Timeline,
    private readonly alert: number | undefined,
    onPoint: (index: number | undefined) => void,
  ) {
    this.chart = new UPlot(this.options(box, onPoint), dataOf(timeline), box);
    this.resized = new ResizeObserver(() => this.chart.setSize({ width: box.clientWidth, height: HEIGHT }));
    this.resized.observe(box);
  }

  pointAt(index: number): void {
    const moment = this.timeline.moments[index];
    if (moment === undefined) return;
    const left = this.chart.valToPos(moment.at / 1_000, 'x');
    this.chart.setCursor({ left, top: 1 }, false);
  }

  remove(): void {
    this.resized.disconnect();
    this.chart.destroy();
  }

  private options(box: HTMLElement, onPoint: (index: number | undefined) => void): UPlot.Options {
    const colours = coloursOf(box);
    const axis: UPlot.Axis = {
      stroke: colours.text,
      font: `12px ${getComputedStyle(box).fontFamily}`,
      grid: { stroke: colours.grid, width: 1 },
      ticks: { show: false },
    };
    const invisible: UPlot.Series = { stroke: 'transparent', width: 0, points: { show: false } };
    return {
      width: box.clientWidth,
      height: HEIGHT,
      legend: { show: false },
      cursor: { y: false, drag: { x: false, y: false }, points: { size: 9 } },
      scales: {
        x: { time: true, range: [this.timeline.from / 1_000, this.timeline.end / 1_000] },
        y: { range: [0, 100] },
      },
      axes: [
        {
          ...axis,
          size: 32,
          values: (_chart, splits, _axis, _space, step) => splits.map((at) => dateMark(at, step)),
        },
        { ...axis, size: 56, values: (_chart, splits) => splits.map(percent) },
      ],
      series: [
        {},
        invisible,
        invisible,
        {
          stroke: colours.line,
          width: 2,
          points: { show: isSparse(this.timeline), size: 5, fill: colours.line },
        },
        invisible,
        invisible,
        { stroke: colours.line, width: 2, dash: [6, 5], points: { show: false } },
      ],
      bands: [
        { series: [1, 2], fill: colours.band },
        { series: [4, 5], fill: colours.band },
      ],
      hooks: {
        drawClear: [(chart) => this.hatchGaps(chart, colours)],
        draw: [
          (chart) => this.markAlert(chart, colours),
          (chart) => this.markRefills(chart, colours),
          (chart) => this.markNow(chart, colours),
          (chart) => this.markEvents(chart, colours),
        ],
        setCursor: [
          ({ cursor }) =>
            onPoint(cursor.left === undefined || cursor.left < 0 ? undefined : (cursor.idx ?? undefined)),
        ],
      },
    };
  }

  private hatchGaps(chart: UPlot, colours: Colours): void {
    const { ctx, bbox } = chart;
    const hatch = hatchOf(ctx, colours.hatch);
    for (const moment of this.timeline.moments) {
      if (moment.kind !== 'gap') continue;
      const left = xOf(chart, Math.max(moment.from, this.timeline.from));
      const right = xOf(chart, Math.min(moment.to ?? Infinity, this.timeline.to));
      ctx.fillStyle = hatch;
      ctx.fillRect(left, bbox.top, Math.max(1, right - left), bbox.height);
    }
  }

  private markAlert(chart: UPlot, colours: Colours): void {
    if (this.alert === undefined) return;
    const { ctx, bbox } = chart;
    const y = Math.round(chart.valToPos(this.alert, 'y', true));
    ctx.save();
    ctx.strokeStyle = colours.alert;
    ctx.lineWidth = 1.5 * devicePixelRatio;
    ctx.setLineDash([6 * devicePixelRatio, 4 * devicePixelRatio]);
    ctx.beginPath();
    ctx.moveTo(bbox.left, y);
    ctx.lineTo(bbox.left + bbox.width, y);
    ctx.stroke();
    ctx.restore();
  }

  /** Where the past ends and the forecast begins. */
  private markNow(chart: UPlot, colours: Colours): void {
    if (this.timeline.end === this.timeline.to) return;
    const { ctx, bbox } = chart;
    const x = xOf(chart, this.timeline.to);
    ctx.save();
    ctx.fillStyle = colours.text;
    ctx.fillRect(x, bbox.top, devicePixelRatio, bbox.height);
    ctx.font = `${12 * devicePixelRatio}px ${getComputedStyle(chart.root).fontFamily}`;
    ctx.textAlign = 'left';
    ctx.textBaseline = 'top';
    ctx.fillText('Expected', x + 6 * devicePixelRatio, bbox.top + 4 * devicePixelRatio);
    ctx.restore();
  }

  /** A triangle on the upper edge, pointing up, and a thin line down to the axis. */
  private markRefills(chart: UPlot, colours: Colours): void {
    const { ctx, bbox } = chart;
    const size = 6 * devicePixelRatio;
    for (const refill of this.timeline.refills) {
      const x = xOf(chart, Date.parse(refill.at));
      if (x < bbox.left || x > bbox.left + bbox.width) continue;
      ctx.save();
      ctx.fillStyle = colours.refill;
      ctx.beginPath();
      ctx.moveTo(x, bbox.top);
      ctx.lineTo(x + size, bbox.top + 1.6 * size);
      ctx.lineTo(x - size, bbox.top + 1.6 * size);
      ctx.fill();
      ctx.fillRect(x - devicePixelRatio / 2, bbox.top + size, devicePixelRatio, bbox.height - size);
      ctx.restore();
    }
  }

  /** The icon of each on the lower edge; those too near the one before stand above it, three high at most. */
  private markEvents(chart: UPlot, colours: Colours): void {
    const { ctx, bbox } = chart;
    const size = 16 * devicePixelRatio;
    let [before, row] = [-Infinity, 0];
    for (const { event, at } of this.timeline.events) {
      const { icon } = HAPPENINGS[event.type];
      const shape = new Path2D(SHAPES[icon]);
      const x = xOf(chart, at);
      row = x - before < size ? (row + 1) % 3 : 0;
      before = x;
      ctx.save();
      ctx.translate(x - size / 2, bbox.top + bbox.height - (row + 1) * size);
      ctx.scale(devicePixelRatio, devicePixelRatio);
      ctx.setLineDash([]); // the forecast's line may have left its own
      ctx.lineCap = 'round';
      ctx.lineWidth = 8;
      ctx.strokeStyle = colours.ground;
      ctx.stroke(shape);
      ctx.lineWidth = 1.8;
      ctx.strokeStyle = colours.text;
      ctx.fillStyle = colours.alert;
      ctx[icon === 'low' ? 'fill' : 'stroke'](shape);
      ctx.restore();
    }
  }
}

/** A gap is a null, which is where uPlot breaks a line. */
function dataOf({ moments }: Timeline): UPlot.AlignedData {
  const measured = (['max', 'min', 'mean'] as const).map((field) =>
    moments.map((moment) => (moment.kind === 'value' ? moment.bucket[field] : null)),
  );
  const expected = (['p90', 'p10', 'p50'] as const).map((field) =>
    moments.map((moment) => (moment.kind === 'ahead' ? moment[field] : null)),
  );
  return [moments.map(({ at }) => at / 1_000), ...measured, ...expected];
}

/** Few values are shown as points too: one alone between two gaps would have no line at all. */
function isSparse({ moments }: Timeline): boolean {
  return moments.length < 150;
}

function xOf(chart: UPlot, instant: number): number {
  return Math.round(chart.valToPos(instant / 1_000, 'x', true));
}

const monthMark = new Intl.DateTimeFormat(LOCALE, { month: 'short', year: 'numeric' });
const dayMark = new Intl.DateTimeFormat(LOCALE, { day: 'numeric', month: 'short' });
const hourMark = new Intl.DateTimeFormat(LOCALE, { hour: '2-digit', minute: '2-digit' });

function dateMark(seconds: number, step: number): string {
  const date = new Date(seconds * 1_000);
  if (step >= 28 * DAY_SECONDS) return monthMark.format(date);
  const isMidnight = date.getHours() === 0 && date.getMinutes() === 0;
  return (step >= DAY_SECONDS || isMidnight ? dayMark : hourMark).format(date);
}

type Colours = Readonly<
  Record<'ground' | 'text' | 'grid' | 'line' | 'band' | 'alert' | 'refill' | 'hatch', string>
>;

/** From the style sheet, so that dark mode and forced colours count here too. */
function coloursOf(box: HTMLElement): Colours {
  const style = getComputedStyle(box);
  const colour = (name: string) => style.getPropertyValue(`--plot-${name}`).trim();
  return {
    ground: colour('ground'),
    text: colour('text'),
    grid: colour('grid'),
    line: colour('line'),
    band: colour('band'),
    alert: colour('alert'),
    refill: colour('refill'),
    hatch: colour('hatch'),
  };
}

function hatchOf(ctx: CanvasRenderingContext2D, colour: string): CanvasPattern | string {
  const size = Math.round(8 * devicePixelRatio);
  const tile = document.createElement('canvas');
  tile.width = size;
  tile.height = size;
  const pen = tile.getContext('2d');
  if (pen === null) return colour;
  pen.strokeStyle = colour;
  pen.lineWidth = devicePixelRatio;
  for (const shift of [-size, 0, size]) {
    pen.moveTo(shift, size);
    pen.lineTo(shift + size, 0);
  }
  pen.stroke();
  return ctx.createPattern(tile, 'repeat') ?? colour;
}
