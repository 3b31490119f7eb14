// Mails: what 100 recipients cost readings, and how soon ten thousand events are in the mail server's hands for all of them. The server is one
// that takes everything, on this machine.
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { SMTPServer } from 'smtp-server';
import { defer } from './cleanup.js';
import { runCli } from './cli.js';
import { buildData } from './data.js';
import { openDatabase, query } from './database.js';
import { median } from './results.js';
import { startServer } from './servers.js';
import { startSenders } from './start-senders.js';

const RECIPIENTS = 100;
const HOUR_MS = 3_600_000;
const SINGLE = { readings: 1, connections: 64 };

export async function measureNotices(server, options, tell) {
  const tanks = options.size === 'smoke' ? 200 : 10_000;
  const size = { customers: 300, tanks, readings: 20, big: 10, small: 10 };
  const { url } = await openDatabase(server, 'tank_bench_notices', {
    content: size,
    keep: false,
    fill: (filled) => buildData(filled, size),
  });
  const taken = await startMailServer();
  Object.assign(process.env, {
    WEBHOOK_SECRET_KEY: randomBytes(32).toString('base64'),
    SMTP_URL: `smtp://127.0.0.1:${taken.port}`,
    MAIL_FROM: 'bench@example.com',
    PUBLIC_URL: 'http://127.0.0.1',
  });
  const key = (
    await runCli(['keys', 'create', '--name', 'sender', '--scope', 'read', 'telemetry:write'], url)
  ).trim();
  const service = await startServer('service', { url, key });
  const ids = (await query(url, 'select id from tanks where not deleted order by key')).map(({ id }) => id);
  const world = { url, key, ids, service, senders: startSenders(), ...options };
  tell('readings come in, with and without recipients');
  const cost = await costOfRecipients(world);
  tell(
    `${tanks} events of a minute are told to ${RECIPIENTS} recipients: more than a minute, since mails wait for others`,
  );
  const told = await tellAll(world, taken);
  await service.stop();
  return { tanks, cost, ...told };
}

export function reportNotices({ tanks, cost, seconds, mails }) {
  const ratio = median(cost.without) / median(cost.with);
  return [
    `readings with ${RECIPIENTS} recipients: ${ratio.toFixed(3)} × the time of those without`,
    `${tanks} events for ${RECIPIENTS} recipients: ${mails} mails were taken ${seconds.toFixed(0)} s after the first event`,
    '',
  ].join('\n');
}

async function startMailServer() {
  const taken = { mails: 0, port: 0 };
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    onData: (stream, _, done) => {
      stream.resume();
      stream.once('end', () => {
        taken.mails += 1;
        done();
      });
    },
  });
  await new Promise((resolve) => smtp.listen(0, '127.0.0.1', resolve));
  defer(() => smtp.close());
  taken.port = smtp.server.address().port;
  return taken;
}

/** Of types that readings of a quiet fleet cause none of. */
async function setRecipients(url, events) {
  await query(url, 'delete from recipients');
  if (events.length === 0) return;
  await query(
    url,
    `insert into recipients (email, events, time_zone, language, confirmed_at, active_since)
     select 'r' || n || '@example.com', $2, 'UTC', 'en', now(), now() from generate_series(1, $1::integer) n`,
    [RECIPIENTS, events],
  );
}

/** In turn, so that the machine's other work meets both alike. */
async function costOfRecipients({ url, key, ids, service, senders, rounds, seconds }) {
  const rates = { with: [], without: [] };
  let from = Date.now() - 20 * 24 * HOUR_MS;
  for (let round = 0; round <= rounds; round++) {
    for (const which of round % 2 === 0 ? ['with', 'without'] : ['without', 'with']) {
      await setRecipients(url, which === 'with' ? ['tank.low', 'tank.silent'] : []);
      from += HOUR_MS;
      const { rate } = await senders.send({ port: service.port, key, tanks: ids, from, seconds, ...SINGLE });
      if (round > 0) rates[which].push(rate); // the first is warm-up
    }
  }
  return rates;
}

async function tellAll({ url, ids }, taken) {
  await setRecipients(url, ['tank.low']);
  await query(url, 'delete from notices');
  const before = taken.mails;
  const started = performance.now();
  for (let n = 0; n < 20; n++) {
    await query(
      url,
      `insert into events (id, type, created_at, tank_id, owner_id, data)
       select event_id(clock_timestamp(), 0), 'tank.low', date_trunc('milliseconds', clock_timestamp()), id, owner_id,
              json_build_object('reading', json_build_object('created_at', now(), 'fill_percentage', 18), 'before', null,
                'min_fill_alert_percentage', 20, 'silent_after_seconds', 3600, 'tank', json_build_object('name', name, 'custom_id', custom_id),
                'owner', json_build_object('name', null, 'email', null), 'location', json_build_object())
       from tanks where id = any ($1)`,
      [ids.filter((_, i) => i % 20 === n)],
    );
    await sleep(500);
  }
  while (taken.mails < before + RECIPIENTS) {
    if (performance.now() - started > 300_000)
      throw new Error(`Only ${taken.mails - before} mails were taken.`);
    await sleep(100);
  }
  return { seconds: (performance.now() - started) / 1000, mails: taken.mails - before };
}
