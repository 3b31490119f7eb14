// The plot and its cursor, which the mouse or the arrow keys move. To a keyboard and a screen reader it is a slider whose
// value is told in words.
import { useEffect, useRef, useState } from 'preact/hooks';
import { now } from '../api/clock.js';
import { useColourScheme } from '../parts/colour-scheme.js';
import { momentInWords } from './moment-words.js';
import { Plot } from './plot.js';
import type { Timeline } from './timeline.js';
import { words } from '../words/words.js';

interface Props {
  readonly timeline: Timeline | undefined;
  readonly alert: number | undefined;
  readonly isPrevious: boolean;
}

const STEPS: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowDown: -1,
  ArrowRight: 1,
  ArrowUp: 1,
  PageDown: -10,
  PageUp: 10,
  Home: -Infinity,
  End: Infinity,
};

export function CursorPlot({ timeline, alert, isPrevious }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const plot = useRef<Plot>();
  const [chosen, setChosen] = useState<number>();
  const scheme = useColourScheme();

  useEffect(() => {
    if (timeline === undefined || box.current === null) return undefined;
    const made = new Plot(box.current, timeline, alert, setChosen);
    plot.current = made;
    setChosen(undefined);
    return () => made.remove();
  }, [timeline, alert, scheme]);

  const last = (timeline?.moments.length ?? 0) - 1;
  const current = chosen ?? timeline?.moments.findLastIndex(({ kind }) => kind !== 'ahead') ?? last;
  const moment = timeline?.moments[current];
  const events = timeline?.events.filter(({ place }) => place === current);
  const told = moment === undefined ? words.tank.plotNothing : momentInWords(moment, now(), events);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    if (step === undefined || last < 0) return;
    event.preventDefault();
    const to = Math.min(Math.max(current + step, 0), last);
    plot.current?.pointAt(to);
    setChosen(to);
  };
  return (
    <div class={isPrevious ? 'plot plot-previous' : 'plot'}>
      <p class="readout" aria-hidden="true">
        {chosen === undefined ? words.tank.plotHint : told}
      </p>
      <div
        ref={box}
        class="plot-area"
        role="slider"
        tabIndex={0}
        aria-label={words.tank.plotLabel}
        aria-valuemin={0}
        aria-valuemax={Math.max(0, last)}
        aria-valuenow={Math.max(0, current)}
        aria-valuetext={told}
        onKeyDown={onKeyDown}
      />
    </div>
  );
}
