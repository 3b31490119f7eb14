// The rounds: in each, every case on every server, one after the other and in rotating order, so that whatever else the
// machine does meets all three alike.
import { endLeftovers } from './database.js';
import { processorMicroseconds, residentBytes } from './servers.js';

const WARM_UP_SLICE_SECONDS = 0.25;
const MEMORY_EVERY_MS = 100;

/** @returns runs of each case by server, the highest resident memory of each server, and what was answered wrongly */
export async function measure({ generator, servers, cases, bodies, slow, options, databaseUrl, tell }) {
  const { rounds, connections } = options;
  const wrong = [];
  const memory = Object.fromEntries(servers.map(({ name }) => [name, 0]));

  const drive = async (server, { name, paths, accept, isChanging }, seconds) => {
    const known = isChanging ? [] : bodies.get(name)[server.name];
    const sampler = setInterval(() => {
      memory[server.name] = Math.max(memory[server.name], residentBytes(server));
    }, MEMORY_EVERY_MS);
    const before = processorMicroseconds(server);
    const run = await generator
      .load(server, { paths, accept, expected: known, connections, seconds })
      .finally(() => clearInterval(sampler));
    const after = processorMicroseconds(server);
    if (run.unfinished > 0) await endLeftovers(databaseUrl);
    wrong.push(...run.wrong.map((problem) => `${server.name}, ${problem}`));
    const { wrong: _, ...figures } = run;
    return {
      ...figures,
      processor: before === null || after === null ? null : (after - before) / Math.max(run.requests, 1),
    };
  };

  // Code is compiled for speed once it has run often enough, so that warmth is a number of requests rather than a time.
  for (const server of servers) {
    tell(`warming up: ${server.name}`);
    const quick = cases.filter(({ name }) => !slow.has(`${name} ${server.name}`));
    const deadline = performance.now() + options.warmUp.seconds * 1000;
    for (let index = 0, requests = 0; requests < options.warmUp.requests; index++) {
      if (performance.now() > deadline || quick.length === 0) break;
      requests += (await drive(server, quick[index % quick.length], WARM_UP_SLICE_SECONDS)).requests;
    }
  }

  const runs = new Map(cases.map(({ name }) => [name, Object.fromEntries(servers.map((s) => [s.name, []]))]));
  for (let round = 0; round < rounds; round++) {
    for (const [index, entry] of cases.entries()) {
      tell(`round ${round + 1} of ${rounds}: ${entry.label}`);
      for (const server of rotated(servers, round + index)) {
        runs.get(entry.name)[server.name].push(await drive(server, entry, options.seconds));
      }
    }
  }
  return { runs, memory, wrong };
}

const rotated = (list, by) => list.map((_, index) => list[(index + by) % list.length]);
