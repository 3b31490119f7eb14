// The plot itself, drawn by uPlot: the band between lowest and highest, the line of the means, broken at gaps and never
// bridged, silence hatched, the alert level dashed, refills and events marked, and to the right of now what is expected, dashed, with its band.
import UPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { EVENT_ICONS } from '../events/event-words.js';
import { SHAPES } from '../parts/icons.js';
import { dateOnly, monthName, percent, timeOnly } from '../format.js';
import type { Timeline } from './timeline.js';
import { words } from '../words/words.js';

const HEIGHT = 320;
const DAY_SECONDS = 86_400;

type Colour = 'ground' | 'text' | 'grid' | 'line' | 'band' | 'alert' | 'refill' | 'hatch';

export class Plot {
  private readonly chart: UPlot;
  private readonly resized: ResizeObserver;
  private readonly style: CSSStyleDeclaration;

  constructor(
    box: HTMLElement,
    private readonly timeline: Timeline,
    private readonly alert: number | undefined,
    onPoint: (index: number | undefined) => void,
  ) {
    this.style = getComputedStyle(box);
    this.chart = new UPlot(this.options(box.clientWidth, onPoint), dataOf(timeline), box);
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

  /** From the style sheet, so that dark mode and forced colours count here too. */
  private colour(name: Colour): string {
    return this.style.getPropertyValue(`--plot-${name}`).trim();
  }

  private options(width: number, onPoint: (index: number | undefined) => void): UPlot.Options {
    const { from, end, moments } = this.timeline;
    const axis: UPlot.Axis = {
      stroke: this.colour('text'),
      font: `12px ${this.style.fontFamily}`,
      grid: { stroke: this.colour('grid'), width: 1 },
      ticks: { show: false },
    };
    const invisible: UPlot.Series = { stroke: 'transparent', width: 0, points: { show: false } };
    const line = this.colour('line');
    // Few values are shown as points too: one alone between two gaps would have no line at all.
    const points = { show: moments.length < 150, size: 5, fill: line };
    return {
      width,
      height: HEIGHT,
      legend: { show: false },
      cursor: { y: false, drag: { x: false, y: false }, points: { size: 9 } },
      scales: { x: { time: true, range: [from / 1_000, end / 1_000] }, y: { range: [0, 100] } },
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
        { stroke: line, width: 2, points },
        invisible,
        invisible,
        { stroke: line, width: 2, dash: [6, 5], points: { show: false } },
      ],
      bands: [
        { series: [1, 2], fill: this.colour('band') },
        { series: [4, 5], fill: this.colour('band') },
      ],
      hooks: {
        drawClear: [(chart) => this.hatchGaps(chart)],
        draw: [(chart) => this.mark(chart)],
        setCursor: [({ cursor: { left = -1, idx } }) => onPoint(left < 0 ? undefined : (idx ?? undefined))],
      },
    };
  }

  /** Each sets what it needs of the pen; uPlot gets it back as it was. */
  private mark(chart: UPlot): void {
    chart.ctx.save();
    this.markAlert(chart);
    this.markRefills(chart);
    this.markNow(chart);
    this.markEvents(chart);
    chart.ctx.restore();
  }

  private hatchGaps(chart: UPlot): void {
    const { ctx, bbox } = chart;
    ctx.save();
    ctx.fillStyle = hatchOf(ctx, this.colour('hatch'));
    for (const moment of this.timeline.moments) {
      if (moment.kind !== 'gap') continue;
      const left = xOf(chart, Math.max(moment.from, this.timeline.from));
      const right = xOf(chart, Math.min(moment.to ?? Infinity, this.timeline.to));
      ctx.fillRect(left, bbox.top, Math.max(1, right - left), bbox.height);
    }
    ctx.restore();
  }

  private markAlert(chart: UPlot): void {
    if (this.alert === undefined) return;
    const { ctx, bbox } = chart;
    const y = Math.round(chart.valToPos(this.alert, 'y', true));
    ctx.strokeStyle = this.colour('alert');
    ctx.lineWidth = 1.5 * devicePixelRatio;
    ctx.setLineDash([6 * devicePixelRatio, 4 * devicePixelRatio]);
    ctx.stroke(new Path2D(`M${bbox.left} ${y}h${bbox.width}`));
  }

  /** A triangle on the upper edge, pointing up, and a thin line down to the axis. */
  private markRefills(chart: UPlot): void {
    const { ctx, bbox } = chart;
    const size = 6 * devicePixelRatio;
    ctx.fillStyle = this.colour('refill');
    for (const refill of this.timeline.refills) {
      const x = xOf(chart, Date.parse(refill.at));
      if (x < bbox.left || x > bbox.left + bbox.width) continue;
      ctx.beginPath();
      ctx.moveTo(x, bbox.top);
      ctx.lineTo(x + size, bbox.top + 1.6 * size);
      ctx.lineTo(x - size, bbox.top + 1.6 * size);
      ctx.fill();
      ctx.fillRect(x - devicePixelRatio / 2, bbox.top + size, devicePixelRatio, bbox.height - size);
    }
  }

  /** Where the past ends and the forecast begins. */
  private markNow(chart: UPlot): void {
    if (this.timeline.end === this.timeline.to) return;
    const { ctx, bbox } = chart;
    const x = xOf(chart, this.timeline.to);
    ctx.fillStyle = this.colour('text');
    ctx.fillRect(x, bbox.top, devicePixelRatio, bbox.height);
    ctx.font = `${12 * devicePixelRatio}px ${this.style.fontFamily}`;
    ctx.textAlign = 'left';
    ctx.textBaseline = 'top';
    ctx.fillText(words.tank.expected, x + 6 * devicePixelRatio, bbox.top + 4 * devicePixelRatio);
  }

  /** The icon of each on the lower edge; those too near the one before stand above it, three high at most. */
  private markEvents(chart: UPlot): void {
    const { ctx, bbox } = chart;
    const size = 16 * devicePixelRatio;
    ctx.setLineDash([]); // the alert's and the forecast's lines have their own
    ctx.lineCap = 'round';
    ctx.fillStyle = this.colour('alert');
    let [before, row] = [-Infinity, 0];
    for (const { event, at } of this.timeline.events) {
      const icon = EVENT_ICONS[event.type];
      const shape = new Path2D(SHAPES[icon]);
      const x = xOf(chart, at);
      row = x - before < size ? (row + 1) % 3 : 0;
      before = x;
      ctx.save();
      ctx.translate(x - size / 2, bbox.top + bbox.height - (row + 1) * size);
      ctx.scale(devicePixelRatio, devicePixelRatio);
      ctx.lineWidth = 8;
      ctx.strokeStyle = this.colour('ground');
      ctx.stroke(shape);
      ctx.lineWidth = 1.8;
      ctx.strokeStyle = this.colour('text');
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

function xOf(chart: UPlot, instant: number): number {
  return Math.round(chart.valToPos(instant / 1_000, 'x', true));
}

function dateMark(seconds: number, step: number): string {
  const date = new Date(seconds * 1_000);
  if (step >= 28 * DAY_SECONDS) return monthName(date);
  const isMidnight = date.getHours() === 0 && date.getMinutes() === 0;
  return step >= DAY_SECONDS || isMidnight ? dateOnly(date) : timeOnly(date);
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
