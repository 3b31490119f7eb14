// The feed of changes: what writing readings pays for it, how fast it is read, and what those who wait for the next change cost others.
import { Agent, get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { runCli } from './cli.js';
import { query } from './database.js';

const TRIGGERS = ['note_insert', 'note_update', 'note_delete'];
const LOADS = {
  single: { readings: 1, connections: 64 },
  batch: { readings: 1_000, connections: 4 },
};
const CHANGES = 100_000;
const PAGE = 1_000;
const LIST_PAGES = { same: PAGE, largest: 10_000 };
const WAITING = 1_000;
const WAITING_OF_KEY = 125;
const NDJSON = 'application/x-ndjson';

export async function measureChanges(world, service) {
  const writing = await writeWithAndWithout(world);
  return { writing, feed: await readFeed(world, service), waiting: await readBesideWaiting(world, service) };
}

/** Many short turns, so that the machine's other work meets both alike. */
async function writeWithAndWithout({ url, rounds, tell, send }) {
  tell('readings come in with and without notes of changes');
  const runs = {};
  try {
    for (const [name, load] of Object.entries(LOADS)) {
      runs[name] = [];
      for (let turn = 0; turn < 4 * rounds; turn++) {
        const rates = {};
        for (const isNoted of turn % 2 === 0 ? [true, false] : [false, true]) {
          await switchTriggers(url, isNoted);
          rates[isNoted ? 'noted' : 'plain'] = (await send(load)).rate * load.readings;
          await untilPlaced(url);
        }
        runs[name].push(rates);
      }
    }
  } finally {
    await switchTriggers(url, true);
  }
  return runs;
}

async function switchTriggers(url, areOn) {
  for (const name of TRIGGERS)
    await query(url, `alter table telemetry ${areOn ? 'enable' : 'disable'} trigger ${name}`);
}

async function untilPlaced(url) {
  for (let tries = 0; tries < 600; tries++) {
    if ((await query(url, 'select from change_notes limit 1')).length === 0) return;
    await sleep(50);
  }
  throw new Error('Changes were not placed within 30 seconds.');
}

/** One reading each of many tanks, page by page; against as many readings of one tank in the list, over one connection each. */
async function readFeed({ url, key, ids, rounds, size, tell }, service) {
  tell('the feed of changes is read');
  const wanted = size === 'smoke' ? 10 * PAGE : CHANGES;
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const ask = (path, accept) => read(service.port, key, path, accept, agent);
  const list = (pageSize, page) => `/v1/tanks/${ids[0]}/telemetry?size=${pageSize}&page=${page}`;
  await query(
    url,
    `insert into telemetry
     select key, timestamptz '2020-01-01Z' + n * interval '1 minute', n % 100
     from tanks, generate_series(1, $2::integer) n where id = $1`,
    [ids[0], wanted],
  );
  await untilPlaced(url);
  const { next } = nextOf(await ask('/v1/changes?after=latest'));
  for (let n = 0; n < wanted / ids.length; n++) {
    await query(
      url,
      `insert into telemetry select key, timestamptz '2019-01-01Z' + $1 * interval '1 minute', 50 from tanks where not deleted`,
      [n],
    );
  }
  await untilPlaced(url);
  await query(url, 'vacuum analyze telemetry, change_feed, change_notes');

  const runs = [];
  for (let round = 0; round < rounds; round++) {
    const run = { feed: await timed(() => followFrom(next, ask)) };
    for (const [name, pageSize] of Object.entries(LIST_PAGES)) {
      run[name] = await timed(async () => {
        for (let page = 1; page <= wanted / pageSize; page++) await ask(list(pageSize, page), NDJSON);
        return wanted;
      });
    }
    runs.push(run);
  }
  agent.destroy();
  return { wanted, runs };
}

/** @returns {Promise<number>} how many changes there were */
async function followFrom(after, ask) {
  let changes = 0;
  for (let place = { next: after, hasMore: true }; place.hasMore;) {
    const body = await ask(`/v1/changes?after=${place.next}&size=${PAGE}`);
    changes += countOf(body);
    place = nextOf(body);
  }
  return changes;
}

/** Without parsing what is measured. */
function nextOf(body) {
  const [, next, hasMore] = /"next":"([^"]+)","has_more":(true|false)\}$/.exec(
    body.toString('latin1', body.length - 100),
  );
  return { next, hasMore: hasMore === 'true' };
}

function countOf(body) {
  let count = 0;
  for (
    let at = body.indexOf('"object":"change",');
    at !== -1;
    at = body.indexOf('"object":"change",', at + 1)
  )
    count += 1;
  return count;
}

/** Rows a second. */
async function timed(work) {
  const started = performance.now();
  const rows = await work();
  return rows / ((performance.now() - started) / 1000);
}

/** Reads of one tank alone, and while a thousand wait for a change that does not come. */
async function readBesideWaiting({ url, rounds, tell, readTanks }, service) {
  tell('a thousand wait for the next change');
  const keys = [];
  while (keys.length < WAITING / WAITING_OF_KEY)
    keys.push((await runCli(['keys', 'create', '--name', 'follower'], url)).trim());
  await untilPlaced(url);
  const runs = [];
  for (let turn = 0; turn < 2 * rounds; turn++) {
    const run = {};
    for (const isBeside of turn % 2 === 0 ? [true, false] : [false, true]) {
      const waiting = isBeside ? await startWaiting(service.port, keys) : undefined;
      run[isBeside ? 'beside' : 'alone'] = (await readTanks()).rate;
      if (waiting !== undefined) run.waited = await waiting.end();
    }
    runs.push(run);
  }
  return runs;
}

async function startWaiting(port, keys) {
  const agent = new Agent({ keepAlive: true });
  const { next } = nextOf(await read(port, keys[0], '/v1/changes?after=latest', undefined, agent));
  let isOver = false;
  let answered = 0;
  for (let n = 0; n < WAITING; n++) {
    read(port, keys[n % keys.length], `/v1/changes?after=${next}&wait=25`, undefined, agent).then(
      () => (answered += isOver ? 0 : 1),
      () => undefined,
    );
  }
  await sleep(1_500); // all have been looked at, and wait
  return {
    /** Returns how many waited all the time. */
    async end() {
      isOver = true;
      agent.destroy();
      await sleep(500);
      return WAITING - answered;
    },
  };
}

function read(port, key, path, accept, agent) {
  return new Promise((resolve, reject) => {
    const headers = { 'X-API-Key': key, ...(accept === undefined ? {} : { Accept: accept }) };
    const asked = get({ host: '127.0.0.1', port, path, agent, headers }, (response) => {
      const parts = [];
      response.on('data', (part) => parts.push(part));
      response.once('error', reject);
      response.once('end', () =>
        response.statusCode === 200
          ? resolve(Buffer.concat(parts))
          : reject(new Error(`${path}: ${response.statusCode} ${Buffer.concat(parts).toString()}`)),
      );
    });
    asked.once('error', reject);
  });
}
