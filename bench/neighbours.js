// `npm run bench -- --neighbours`: what one caller can do to the others. For each attack the service is started anew on a small
// database, a neighbour with a key of its own is measured alone, then beside the attack, and the two medians are compared.
// Everything stays on this machine, and every attack ends after some seconds.
import { fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { ATTACKS } from './attacks.js';
import { defer } from './cleanup.js';
import { runCli } from './cli.js';
import { BIG_TANK_KEY, buildData } from './data.js';
import { endLeftovers, openDatabase, query } from './database.js';
import { milliseconds, short, table } from './report.js';
import { median } from './results.js';
import { startServer } from './servers.js';

const MAX_RATIO = 10;
const SECONDS = {
  default: { warm: 0.5, alone: 1.5, beside: 3 },
  smoke: { warm: 0.1, alone: 0.2, beside: 0.3 },
};
/** The neighbour asks at this pace whether it was answered or not: one that waits for its answers would not notice a stop. */
const PROBES_A_SECOND = 40;
const PROBE_TIMEOUT_MS = 10_000;
const RECOVERY_MS = 30_000;
/** The attack begins so long before the neighbour is measured beside it, and ends so long after. */
const MARGIN_SECONDS = 1;

export async function measureNeighbours(server, options, tell) {
  const isSmoke = options.size === 'smoke';
  const size = { customers: 300, tanks: 400, readings: 210_000, big: 200_000, small: 500 };
  if (isSmoke) Object.assign(size, { readings: 6_000, big: 3_000 });
  const { url } = await openDatabase(server, 'tank_bench_neighbours', {
    content: size,
    keep: false,
    fill: (filled) => buildData(filled, size),
  });
  Object.assign(process.env, {
    WEBHOOK_SECRET_KEY: randomBytes(32).toString('base64'),
    SMTP_URL: 'smtp://127.0.0.1:9', // nobody listens
    MAIL_FROM: 'bench@example.com',
    PUBLIC_URL: 'http://127.0.0.1',
  });
  const scale = isSmoke ? 0.01 : 1;
  const world = { url, scale, startAttack: startAttacker(), ...(await findCallers(url)) };
  const results = [];
  const isWanted = ({ name }) => options.only?.some((part) => name.includes(part)) ?? true;
  for (const attack of ATTACKS.filter(isWanted)) {
    tell(attack.name);
    const measured = measureOne(world, attack, SECONDS[isSmoke ? 'smoke' : 'default']);
    results.push(await measured.catch(({ message }) => ({ attack: attack.name, error: message })));
  }
  return results;
}

/** Two customers with a tank and a key each; the attacker's tank is the one with most readings. The dispatcher's key is of no customer. */
async function findCallers(url) {
  const [attacker] = await query(url, 'select owner_id as customer, id as tank from tanks where key = $1', [
    BIG_TANK_KEY,
  ]);
  const others = await query(
    url,
    `select owner_id as customer, min(tank.id) as tank from tanks tank join customers owner on owner.id = owner_id
     where not tank.deleted and not owner.deleted and owner_id <> $1 group by owner_id order by owner_id limit 11`,
    [attacker.customer],
  );
  const [neighbour, ...rest] = others;
  const dispatcher = {};
  for (const caller of [attacker, neighbour, dispatcher]) {
    const bound =
      caller.customer === undefined ? ['runs:write'] : ['activity', '--customer', caller.customer];
    const scopes = ['--scope', 'read', 'telemetry:write', 'tanks:write', ...bound];
    caller.key = (await runCli(['keys', 'create', '--name', 'neighbours', ...scopes], url)).trim();
  }
  return { attacker, neighbour, dispatcher, nobody: {}, others: rest.map(({ customer }) => customer) };
}

async function measureOne(known, attack, seconds) {
  const { url, neighbour, dispatcher, startAttack } = known;
  await query(url, 'truncate quarantined_uplinks');
  const service = await startServer('service', { url, key: neighbour.key }, undefined, attack.flags);
  const agent = new Agent({ keepAlive: true, maxSockets: 1_000 });
  const ask = (path) => exchange({ agent, port: service.port, key: neighbour.key, path });
  const send = async (method, path, body) => {
    const [{ key }, headers] = [dispatcher, { 'Content-Type': 'application/json' }];
    const asked = { agent, port: service.port, key, method, path, headers, body: JSON.stringify(body) };
    const { status, body: answer } = await exchange(asked);
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${answer}`);
  };
  const world = { ...known, ask, send };
  const probed = attack.probe ?? (() => ({ path: `/v1/tanks/${neighbour.tank}` }));
  const probe = (time) =>
    askAtPace((n) => exchange({ agent, port: service.port, key: neighbour.key, ...probed(world, n) }), time);
  try {
    await attack.prepare?.(world);
    await probe(seconds.warm);
    const alone = await probe(seconds.alone);
    if (!Number.isFinite(alone.p50)) throw new Error(`alone, the neighbour got ${counted(alone.failed)}`);
    const job = await attack.begin(world);
    const lead = attack.settleSeconds ?? MARGIN_SECONDS;
    const besideSeconds = known.scale < 1 ? seconds.beside : (attack.beside ?? seconds.beside);
    const answers =
      job &&
      startAttack({
        ...job,
        port: service.port,
        key: known[attack.as ?? 'attacker'].key,
        seconds: lead + besideSeconds + MARGIN_SECONDS,
      });
    await sleep(lead * 1000);
    const also = sleep(besideSeconds * 1000).then(() => attack.also?.(world).catch(String));
    const beside = await probe(besideSeconds);
    const answered = await answers;
    await untilAnswered(() => ask(`/v1/tanks/${neighbour.tank}`), service);
    return {
      attack: attack.name,
      alone,
      beside,
      ratio: beside.p50 / alone.p50,
      answers: answered ?? {},
      also: (await also) ?? null,
      survived: service.isRunning(),
    };
  } finally {
    agent.destroy();
    await service.stop();
    await endLeftovers(url);
  }
}

/** What was begun for the attacker may go on after it has left, and end the process then. */
async function untilAnswered(ask, service) {
  const giveUpAt = performance.now() + RECOVERY_MS;
  while (service.isRunning() && performance.now() < giveUpAt) {
    const { status } = await ask().catch(() => ({ status: undefined }));
    if (status === 200) return;
    await sleep(100);
  }
}

/** @returns what attacks, one job at a time, and reports what it was answered */
function startAttacker() {
  const child = fork(fileURLToPath(new URL('attacker.js', import.meta.url)), {
    serialization: 'advanced',
    execArgv: [],
  });
  defer(() => child.kill('SIGKILL'));
  return (job) =>
    new Promise((resolve) => {
      child.once('message', resolve);
      child.send(job);
    });
}

/** An answer that is not a 200, or none in time, counts as one that never came. */
async function askAtPace(ask, seconds) {
  const started = performance.now();
  const count = Math.max(3, Math.round(seconds * PROBES_A_SECOND));
  const failed = {};
  const probes = Array.from({ length: count }, async (_, n) => {
    const due = started + (n * 1000) / PROBES_A_SECOND;
    await sleep(Math.max(0, due - performance.now()));
    const { status } = await ask(n).catch(() => ({ status: 'none' }));
    if (status === 200) return performance.now() - due;
    failed[status] = (failed[status] ?? 0) + 1;
    return Infinity;
  });
  const times = await Promise.all(probes);
  return { p50: median(times), longest: Math.max(0, ...times.filter(Number.isFinite)), failed };
}

function exchange({ agent, port, key, method = 'GET', path, headers, body }) {
  return new Promise((resolve, reject) => {
    const asked = request(
      {
        host: '127.0.0.1',
        port,
        agent,
        method,
        path,
        headers: { 'X-API-Key': key, ...headers },
        signal: AbortSignal.timeout(PROBE_TIMEOUT_MS),
      },
      (response) => {
        const parts = [];
        response.on('data', (part) => parts.push(part));
        response.once('error', reject);
        response.once('end', () =>
          resolve({ status: response.statusCode, body: Buffer.concat(parts).toString() }),
        );
      },
    );
    asked.once('error', reject);
    asked.end(body);
  });
}

export function reportNeighbours(results) {
  const rows = results.map(({ attack, error, alone, beside, ratio, answers, also, survived }) => {
    if (error !== undefined) return [attack, '-', '-', '-', '-', '-', '-', '-', `not measured: ${error}`];
    return [
      attack,
      time(alone.p50),
      time(beside.p50),
      time(beside.longest),
      counted(beside.failed),
      Number.isFinite(ratio) ? short(ratio) : '-',
      survived && ratio <= MAX_RATIO ? 'reached' : 'MISSED',
      survived ? 'yes' : 'DIED',
      [counted(answers), also].filter(Boolean).join(', '),
    ];
  });
  const lines = [
    "A neighbour's request alone and beside each attack: median, longest and failed; latencies in ms",
    '',
    ...table(
      [
        ['', 'alone', 'beside', '', '', '', `at most`, '', ''],
        [
          'attack',
          'p50',
          'p50',
          'longest',
          'failed',
          'ratio',
          `${MAX_RATIO} ×`,
          'survived',
          'the attacker got',
        ],
      ],
      rows,
    ),
  ];
  return `${lines.join('\n')}\n`;
}

const counted = (answers) =>
  Object.entries(answers)
    .map(([status, n]) => `${status} × ${n.toLocaleString('en')}`)
    .join(', ');

const time = (value) => (Number.isFinite(value) ? milliseconds(value) : 'none');
