// The plot as a table, newest first: what is expected, then values, gaps, refills and events in the order they happened.
import { now } from '../api/clock.js';
import { count, exactTime, percent, shortTime } from '../words.js';
import { eventInWords, momentInWords, refillInWords } from './moment-words.js';
import type { Moment, Timeline, Value } from './timeline.js';

export function SeriesTable({ timeline }: { readonly timeline: Timeline }) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, by keyboard too
    <div class="series" tabIndex={0} role="region" aria-label="Readings as a table">
      <table>
        <thead>
          <tr>
            <th scope="col">Time</th>
            <th scope="col">Mean</th>
            <th scope="col">Lowest</th>
            <th scope="col">Highest</th>
            <th scope="col">Last</th>
            <th scope="col">Readings</th>
          </tr>
        </thead>
        <tbody>{rowsOf(timeline)}</tbody>
      </table>
    </div>
  );
}

function rowsOf({ moments, refills, events }: Timeline) {
  const rows = [
    ...moments.map((moment) => ({
      at: moment.at,
      row: <MomentRow key={`${moment.kind} ${moment.at}`} moment={moment} />,
    })),
    ...refills.map((refill) => noteOf(Date.parse(refill.at), 'row-refill', refillInWords(refill))),
    ...events.map(({ event, at }) => noteOf(at, 'row-event', eventInWords(event))),
  ];
  return rows.toSorted((a, b) => b.at - a.at).map(({ row }) => row);
}

function MomentRow({ moment }: { readonly moment: Moment }) {
  if (moment.kind === 'value') return <ValueRow value={moment} />;
  return (
    <tr class={`row-${moment.kind}`}>
      <td colSpan={6}>{momentInWords(moment, now())}</td>
    </tr>
  );
}

function ValueRow({ value: { start, end, bucket } }: { readonly value: Value }) {
  return (
    <tr>
      <th scope="row" title={`${exactTime(start)} to ${exactTime(end)}`}>
        {shortTime(start)} – {shortTime(end)}
      </th>
      <td>{percent(bucket.mean)}</td>
      <td>{percent(bucket.min)}</td>
      <td>{percent(bucket.max)}</td>
      <td>{percent(bucket.last)}</td>
      <td>{count(bucket.count)}</td>
    </tr>
  );
}

function noteOf(at: number, kind: string, words: string) {
  const row = (
    <tr key={`${at} ${words}`} class={kind}>
      <td colSpan={6}>
        {exactTime(at)}: {words}
      </td>
    </tr>
  );
  return { at, row };
}
