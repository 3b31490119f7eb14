// What is printed at the end.

/** Which code, where, and beside what other work: without these a figure says nothing. */
export function aboutLines({ about, options }) {
  const load = [about.loadBefore, about.loadAfter].map((value) => value.toFixed(1));
  return [
    `commit ${about.commit}, ${about.when}`,
    `${about.processors} × ${about.processor}, ${about.memory} GB, ${about.system}; Node ${about.node}, PostgreSQL ${about.postgres}`,
    `load of the machine ${load[0]} before, ${load[1]} at the end; rounds: ${options.rounds}`,
  ];
}

export function report(results) {
  const { data, options, cases, pages, bigToSmall, memory, startUp, wrong } = results;
  const { lines: asked, faults } = results.reach;
  const lines = [
    ...aboutLines(results),
    `${count(data.customers)} customers, ${count(data.tanks)} tanks, ${count(data.readings)} readings ` +
      `(big tank ${count(data.big)}, small tank ${count(data.small)}), three years`,
    `${options.rounds} interleaved rounds of ${options.seconds} s, ${options.connections} connections; medians; latencies in ms`,
  ];
  if (options.size === 'smoke')
    lines.push('A smoke run: it shows that everything works. Its figures mean nothing.');

  if (faults.length > 0) lines.push('', 'THIS RUN REACHES NOTHING:', ...faults.map((fault) => `  ${fault}`));

  lines.push(
    '',
    ...table(
      [
        ['', 'service', '', '', 'bare', '', '', 'typical', '', '', 'service /', 'service /'],
        ['case', 'req/s', 'p50', 'p99', 'req/s', 'p50', 'p99', 'req/s', 'p50', 'p99', 'bare', 'typical'],
      ],
      cases.map(({ label, servers, toBare, toTypical }) => [
        label,
        ...[servers.service, servers.bare, servers.typical].flatMap((server) => [
          rate(server.rate) + (server.unfinished > 0 ? '*' : ''),
          milliseconds(server.p50),
          milliseconds(server.p99),
        ]),
        short(toBare),
        short(toTypical),
      ]),
    ),
  );
  if (cases.some(({ servers }) => Object.values(servers).some(({ unfinished }) => unfinished > 0)))
    lines.push('* some requests were not answered within a minute and were given up');

  lines.push(
    '',
    'The service, page against page (req/s)',
    ...table(
      [['', 'page 1 / random', 'page 1 / last']],
      [
        ['customers', short(pages.customers.firstToRandom), short(pages.customers.firstToLast)],
        ['big tank', short(pages.bigTank.firstToRandom), short(pages.bigTank.firstToLast)],
      ],
    ),
    '',
    `page 1 of ${count(data.big)} readings / page 1 of ${count(data.small)}: ${short(bigToSmall)}`,
    `memory under load, highest: ${Object.entries(memory)
      .map(([name, bytes]) => `${name} ${(bytes / 1e6).toFixed(0)} MB`)
      .join(', ')}`,
    `start of the service to its first answer: ${(startUp.median / 1000).toFixed(2)} s`,
    importLine(results.import),
    ...csvLines(results.csv),
    ...liveLines(results.live),
    ...forecastLines(results.forecasts),
    '',
    'Reach',
    ...table(
      [['', 'target', 'measured', '']],
      asked.map(({ what, target, value, reached }) => [
        what,
        target,
        value,
        reached === null ? '-' : reached ? 'reached' : 'MISSED',
      ]),
    ),
  );

  if (wrong.length > 0) {
    const shown = wrong.slice(0, 10).map((problem) => `  ${problem}`);
    lines.push('', `WRONG ANSWERS (${wrong.length} told, ${shown.length} shown)`, ...shown);
  }
  return `${lines.join('\n')}\n`;
}

function csvLines({ csvRate, copyRate, toCopy }) {
  if (toCopy === null) return [];
  return [
    `CSV of 10,000 readings over one connection: ${rate(csvRate)} rows/s; ` +
      `COPY … TO ${rate(copyRate)} rows/s; CSV / COPY ${short(toCopy)}`,
  ];
}

function liveLines({ single, managed, batch, importBeside, changes, webhooks }) {
  return [
    `readings one a request, 64 connections: ${rate(single.rate)} a second, p50 ${milliseconds(single.p50)} ms; ` +
      `in batches of 1,000: ${rate(batch.rate)} a second; the same imported: ${rate(batch.importRate)}`,
    ...Object.entries({ 'one after the other': managed.alone, '64 connections': managed.together }).map(
      ([how, load]) =>
        `PATCH of a tank, ${how}: ${rate(load.rate)} a second, ${load.failed} failed; one reading a request: ` +
        `${rate(load.readingRate)}; PATCH / reading in time ${short(load.cost)}`,
    ),
    `beside an import of ${count(importBeside.rows)} readings (${importBeside.seconds.toFixed(1)} s): ` +
      `${count(importBeside.requests)} requests taken, ${importBeside.failed} failed, p50 ${milliseconds(importBeside.p50)} ms`,
    `with notes of changes / without: one a request ${rate(changes.writing.single.rate)} / ${rate(changes.writing.single.plainRate)} ` +
      `readings a second, batches of 1,000 ${rate(changes.writing.batch.rate)} / ${rate(changes.writing.batch.plainRate)}`,
    `${count(changes.feed.changes)} changes in pages of 1,000: ${rate(changes.feed.rate)} a second; an NDJSON list in pages of 1,000: ` +
      `${rate(changes.feed.samePagesRate)}, of 10,000: ${rate(changes.feed.listRate)}; ${count(changes.waiting.waited)} waited`,
    `${count(webhooks.events)} webhooks: ${rate(webhooks.rate)} a second, ${(webhooks.memory / 1e6).toFixed(0)} MB; ` +
      `a claim ${milliseconds(webhooks.claims.empty)} ms, beside 30,000 that are held up ${milliseconds(webhooks.claims.blocked)} ms`,
  ];
}

const both = ({ seconds, processor }) => `${seconds} s (${processor} s of Node)`;

export function forecastLines({ tanks, days, first, night, beside }) {
  return [
    `tank by id while the service makes the first forecasts (${count(beside.made)} in that time): ${rate(beside.rate)} a second, ` +
      `${short(beside.rate / beside.alone)} of ${rate(beside.alone)} after it`,
    `forecasts of ${count(tanks)} tanks with ${days} days of readings: the first ${both(first)}, a night ${both(night)}`,
  ];
}

function importLine(imported) {
  if (imported.skipped !== undefined) return `import: not measured, ${imported.skipped}`;
  const { rows, importRate, copyRate, toCopy } = imported;
  return (
    `import of ${rows.toLocaleString('en')} readings: ${rate(importRate)} rows/s; ` +
    `plain COPY ${rate(copyRate)} rows/s; import / COPY ${short(toCopy)}`
  );
}

/** The first column to the left, the others to the right. */
export function table(headings, rows) {
  const all = [...headings, ...rows];
  const widths = all[0].map((_, column) => Math.max(...all.map((row) => row[column].length)));
  const write = (row) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[column])))
      .join('  ')
      .trimEnd();
  const rule = widths.map((width) => '-'.repeat(width)).join('  ');
  return [...headings.map(write), rule, ...rows.map(write)];
}

export const count = (value) => value.toLocaleString('en');

const rate = (value) =>
  value >= 100 ? Math.round(value).toLocaleString('en') : value.toFixed(value >= 10 ? 1 : 2);

export const milliseconds = (value) =>
  value === null ? '-' : value >= 1000 ? value.toFixed(0) : value.toFixed(1);

export const short = (value) => {
  if (value === null) return '-';
  return value >= 100 ? Math.round(value).toLocaleString('en') : value.toFixed(value >= 10 ? 1 : 2);
};
