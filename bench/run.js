// `npm run bench`: what is done, in which order. See README.md for the method.
import { execFileSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { arch, cpus, loadavg, platform, totalmem } from 'node:os';
import { dirname, resolve } from 'node:path';
import { compareBuilds, reportBuilds } from './builds.js';
import { drawCases } from './cases.js';
import { drawChart } from './chart.js';
import { checkAnswers } from './check.js';
import { measureCsv } from './csv.js';
import { cleanUp, cleanUpOnSignals, isCleaningUp } from './cleanup.js';
import { runCli } from './cli.js';
import { buildData, DATA_VERSION } from './data.js';
import { openDatabase, openServer, query } from './database.js';
import { buildWithoutEach } from './departures.js';
import { measureForecasts } from './forecasts.js';
import { measureImport } from './import.js';
import { startGenerator } from './load.js';
import { measureLive } from './live.js';
import { measureMap, reportMap } from './map.js';
import { measure } from './measure.js';
import { measureMqtt, mqttLine } from './mqtt.js';
import { measureNeighbours, reportNeighbours } from './neighbours.js';
import { measureNotices, reportNotices } from './notices.js';
import { measurePlan, reportPlan } from './plan.js';
import { readOptions, RELEASE_FILE, USAGE, UsageError } from './options.js';
import { reach } from './reach.js';
import { aboutLines, forecastLines, report } from './report.js';
import { summarize } from './results.js';
import { measureScale } from './scale.js';
import { SERVER_NAMES, startServer } from './servers.js';
import { measureStartUp } from './start-up.js';

const [loadBefore] = loadavg();
const tell = (message) => process.stderr.write(`bench: ${message}\n`);

/** What is measured instead of all else when its option is given, and how it is told. */
const MODES = {
  forecasts: {
    measureIt: measureForecasts,
    reportOf: (results) => `${forecastLines(results).join('\n')}\n`,
  },
  map: { measureIt: measureMap, reportOf: reportMap },
  plan: { measureIt: measurePlan, reportOf: reportPlan },
  mqtt: { measureIt: measureMqtt, reportOf: (results) => `${mqttLine(results)}\n` },
  notices: { measureIt: measureNotices, reportOf: reportNotices },
  neighbours: { measureIt: measureNeighbours, reportOf: reportNeighbours },
};

cleanUpOnSignals();
try {
  const options = readOptions(process.argv.slice(2));
  if (options.help) process.stdout.write(USAGE);
  else process.exitCode = await run(options);
} catch (error) {
  if (error instanceof UsageError) process.stderr.write(`${error.message}\n\n${USAGE}`);
  else if (!isCleaningUp()) process.stderr.write(`bench: ${error.stack}\n`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
} finally {
  await cleanUp();
}

/** @returns {Promise<number>} the exit code: 1 when a server answered wrongly, or what was measured cannot be */
async function run(options) {
  const started = performance.now();
  const server = await openServer(options);
  if (options.scale) {
    const results = await measureScale(server, tell, (lines) => process.stdout.write(lines));
    if (options.json !== undefined) await write(options.json, `${JSON.stringify(results, null, 2)}\n`);
    return 0;
  }

  for (const [mode, { measureIt, reportOf }] of Object.entries(MODES)) {
    if (!options[mode]) continue;
    const results = await measureIt(server, options, tell);
    if (results === undefined) return 0;
    const about = aboutLines({ about: await aboutHere(server.urlOf('postgres')), options });
    process.stdout.write(`\n${[...about, '', reportOf(results)].join('\n')}`);
    if (options.json !== undefined) await write(options.json, `${JSON.stringify(results, null, 2)}\n`);
    return 0;
  }

  tell('building the data set');
  const { url, reused } = await openDatabase(server, `tank_bench_${options.size}`, {
    content: { version: DATA_VERSION, ...options.data },
    keep: options.keep,
    fill: (filled) => buildData(filled, options.data),
  });
  tell(reused ? 'the kept data set is used again' : `built in ${secondsSince(started)} s`);
  const key = (await runCli(['keys', 'create', '--name', 'benchmark'], url)).trim();
  const database = { url, key };

  if (options.against.length > 0 || options.departures) {
    const others = options.against.map((folder) => ({ name: folder, program: resolve(folder, 'main.js') }));
    if (options.departures) others.push(...(await buildWithoutEach(tell)));
    const comparisons = await compareBuilds(database, others, options, tell);
    process.stdout.write(`\n${reportBuilds(comparisons)}`);
    if (options.json !== undefined) await write(options.json, `${JSON.stringify(comparisons, null, 2)}\n`);
    tell(`done in ${secondsSince(started)} s`);
    return 0;
  }

  if (options.check) {
    const { wrong } = await compareAnswers(database, await drawCases(url, options.only));
    tell(`done in ${secondsSince(started)} s`);
    return wrong.length > 0 ? 1 : 0;
  }

  if (options.size === 'smoke') await buildWithoutEach(tell); // measured seldom: that they can be built is seen here

  tell('starting the service');
  const startUp = await measureStartUp(database, options.rounds);

  const cases = await drawCases(url, options.only);
  const { generator, servers, bodies, wrong, slow } = await compareAnswers(database, cases);
  const measured =
    wrong.length > 0
      ? undefined
      : await measure({ generator, servers, cases, bodies, slow, options, databaseUrl: url, tell });
  const service = servers.find(({ name }) => name === 'service');
  const csv =
    measured === undefined ? [] : await measureCsv({ generator, service, cases, options, databaseUrl: url });
  for (const { stop } of servers) await stop();
  if (measured === undefined) return 1;

  tell('importing');
  const imported = await measureImport(server, options);

  const live = await measureLive(server, generator, options, tell);

  tell('forecasts');
  const forecasts = await measureForecasts(server, options, tell);

  const results = summarize({
    ...measured,
    csv,
    live,
    cases,
    startUp,
    imported,
    forecasts,
    about: await aboutHere(url),
    options: withoutPlaces(options),
    data: options.data,
  });
  results.reach = reach(results);
  const texts = [report(results)];
  if (options.release) texts.push(reportNeighbours(await measureNeighbours(server, options, tell)));
  process.stdout.write(`\n${texts.join('\n')}`);
  const tellsNothing = results.wrong.length > 0 || results.reach.faults.length > 0;
  if (options.release && !tellsNothing) await write(RELEASE_FILE, texts.join('\n'));
  if (options.json !== undefined) await write(options.json, `${JSON.stringify(results, null, 2)}\n`);
  if (options.chart !== undefined) await write(options.chart, drawChart(results));
  tell(`done in ${secondsSince(started)} s`);
  return tellsNothing ? 1 : 0;
}

async function compareAnswers(database, cases) {
  const generator = startGenerator();
  const servers = [];
  for (const name of SERVER_NAMES) servers.push(await startServer(name, database));
  tell('comparing their answers');
  const compared = await checkAnswers(generator, servers, cases);
  for (const problem of compared.wrong.slice(0, 10)) tell(`wrong: ${problem}`);
  return { generator, servers, ...compared };
}

function secondsSince(started) {
  return ((performance.now() - started) / 1000).toFixed(0);
}

/** What describes the run, without the database's password or anybody's paths. */
function withoutPlaces({ size, rounds, seconds, connections, only }) {
  return { size, rounds, seconds, connections, only: only ?? null };
}

async function aboutHere(url) {
  const [{ server_version: postgres }] = await query(url, 'show server_version');
  return {
    commit: commitHere(),
    when: new Date().toISOString(),
    loadBefore,
    loadAfter: loadavg()[0],
    processors: cpus().length,
    processor: cpus()[0]?.model.trim() || arch(),
    memory: Math.round(totalmem() / 1e9),
    system: `${platform()} ${arch()}`,
    node: process.versions.node,
    postgres: postgres.split(' ')[0],
  };
}

/** With what is not committed it is another one. */
function commitHere() {
  try {
    const isChanged = git('status', '--porcelain', '--', ':!bench/results') !== '';
    return git('rev-parse', '--short=10', 'HEAD') + (isChanged ? ' and changes' : '');
  } catch {
    return 'unknown';
  }
}

function git(...args) {
  return execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
}

async function write(file, text) {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
  tell(`written: ${file}`);
}
