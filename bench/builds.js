// Measures builds of the service against each other: which is the faster one, and by how much. They differ by little, so the
// figure to look at is the processor time a request costs, which other work on the machine changes least; and each pair is
// started several times, because one and the same program is compiled a little differently each time it runs.
import { drawCases } from './cases.js';
import { checkAnswers } from './check.js';
import { startGenerator } from './load.js';
import { measure } from './measure.js';
import { LIMIT_CASES } from './reach.js';
import { startServer } from './servers.js';

/**
 * Each of the others in turn against the service, on the five reads.
 * @param {{ name: string, program: string }[]} others
 */
export async function compareBuilds(database, others, options, tell) {
  const cases = await drawCases(database.url, options.only ?? LIMIT_CASES);
  const generator = startGenerator();
  const comparisons = [];
  for (const { name, program } of others) {
    const starts = [];
    for (let start = 1; start <= options.starts; start++) {
      tell(`${name}: start ${start} of ${options.starts}`);
      const order = [{ name: 'service' }, { name, program }];
      if (start % 2 === 0) order.reverse();
      starts.push(await measureOnce({ database, order, cases, generator, options }));
    }
    comparisons.push(summarize(name, cases, starts));
  }
  return comparisons;
}

async function measureOnce({ database, order, cases, generator, options }) {
  const servers = [];
  for (const { name, program } of order) servers.push(await startServer(name, database, program));
  const { bodies, wrong: different, slow } = await checkAnswers(generator, servers, cases);
  if (different.length > 0) throw new Error(`The builds answer differently: ${different[0]}`);

  const databaseUrl = database.url;
  const measured = await measure({
    generator,
    servers,
    cases,
    bodies,
    slow,
    options,
    databaseUrl,
    tell: nothing,
  });
  for (const { stop } of servers) await stop();
  if (measured.wrong.length > 0) throw new Error(`A wrong answer: ${measured.wrong[0]}`);
  return measured;
}

function summarize(name, cases, starts) {
  const gains = starts.map(({ runs }) =>
    cases.map(({ name: ofCase }) => {
      const { service, [name]: other } = runs.get(ofCase);
      return {
        processor: perRequest(other) / perRequest(service) - 1,
        rate: total(service, 'requests') / total(other, 'requests') - 1,
      };
    }),
  );
  const means = gains.map((ofCases) => mean(ofCases.map(({ processor }) => processor)));
  return {
    name,
    cases: cases.map(({ label }, index) => ({
      label,
      gain: mean(gains.map((start) => start[index].processor)),
    })),
    gain: mean(means),
    error: standardError(means),
    rate: mean(gains.flat().map(({ rate }) => rate)),
    memory: {
      service: Math.max(...starts.map(({ memory }) => memory.service)),
      other: Math.max(...starts.map(({ memory }) => memory[name])),
    },
  };
}

function nothing() {}

const total = (runs, figure) => runs.reduce((sum, run) => sum + run[figure], 0);
const perRequest = (runs) =>
  runs.reduce((sum, { processor, requests }) => sum + processor * requests, 0) / total(runs, 'requests');
const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

function standardError(values) {
  if (values.length < 2) return 0;
  const middle = mean(values);
  const variance = values.reduce((sum, value) => sum + (value - middle) ** 2, 0) / (values.length - 1);
  return Math.sqrt(variance / values.length);
}

/** A table in Markdown, as it stands in docs/performance.md. */
export function reportBuilds(comparisons) {
  const labels = comparisons[0].cases.map(({ label }) => label);
  const rows = comparisons.map(({ name, cases, gain, error, rate, memory }) => [
    name,
    ...cases.map((one) => percent(one.gain)),
    `${percent(gain)} ± ${(error * 100).toFixed(1)}`,
    percent(rate),
    `${megabytes(memory.other)} (${megabytes(memory.service)})`,
  ]);
  return [
    'How much more processor time of its process a request costs each build than the service, and with what error the',
    'mean is known; how many more requests a second the service answers; the highest memory of both.',
    '',
    markdown(['', ...labels, 'mean', 'requests/s', 'memory']),
    markdown(['---', ...labels.map(() => '---:'), '---:', '---:', '---:']),
    ...rows.map(markdown),
    '',
  ].join('\n');
}

const markdown = (cells) => `| ${cells.join(' | ')} |`;
const percent = (value) => `${value < 0 ? '−' : '+'}${Math.abs(value * 100).toFixed(1)} %`;
const megabytes = (bytes) => `${(bytes / 1e6).toFixed(0)} MB`;
