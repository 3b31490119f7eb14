// The plot as a table, newest first: what is expected, then values, gaps, refills and events in the order they happened.
import { now } from '../api/clock.js';
import { count, exactTime, percent, shortTime } from '../format.js';
import { eventInWords, momentInWords, refillInWords } from './moment-words.js';
import type { Timeline, Value } from './timeline.js';
import { words } from '../words/words.js';

export function SeriesTable({ timeline }: { readonly timeline: Timeline }) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, by keyboard too
    <div class="series" tabIndex={0} role="region" aria-label={words.tank.asTable}>
      <table>
        <thead>
          <tr>
            {words.tank.series.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{rowsOf(timeline)}</tbody>
      </table>
    </div>
  );
}

function rowsOf({ moments, refills, events }: Timeline) {
  const rows = [
    ...moments.map((moment) =>
      moment.kind === 'value'
        ? valueRow(moment)
        : noteRow(moment.at, moment.kind, momentInWords(moment, now())),
    ),
    ...refills.map((refill) => happened(Date.parse(refill.at), 'refill', refillInWords(refill))),
    ...events.map(({ event, at }) => happened(at, 'event', eventInWords(event))),
  ];
  return rows.toSorted((a, b) => b.at - a.at).map(({ row }) => row);
}

function valueRow({ at, start, end, bucket }: Value) {
  const row = (
    <tr key={at}>
      <th scope="row" title={words.tank.fromTo(exactTime(start), exactTime(end))}>
        {shortTime(start)} – {shortTime(end)}
      </th>
      <td>{percent(bucket.mean)}</td>
      <td>{percent(bucket.min)}</td>
      <td>{percent(bucket.max)}</td>
      <td>{percent(bucket.last)}</td>
      <td>{count(bucket.count)}</td>
    </tr>
  );
  return { at, row };
}

function noteRow(at: number, kind: string, told: string) {
  const row = (
    <tr key={`${at} ${told}`} class={`row-${kind}`}>
      <td colSpan={6}>{told}</td>
    </tr>
  );
  return { at, row };
}

const happened = (at: number, kind: string, told: string) => noteRow(at, kind, `${exactTime(at)}: ${told}`);
