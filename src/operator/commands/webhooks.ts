// `webhooks`: where events are sent to. A signing secret goes to stdout, alone and once; everything else to stderr.
import { InvalidArgumentError, Option, type Command } from 'commander';
import { EVENT_TYPES } from '../../rules.js';
import { checkUrl } from '../../webhooks/addresses.js';
import { sendPing } from '../../webhooks/ping.js';
import { Sender } from '../../webhooks/send.js';
import { loadConfig } from '../../platform/config/config.js';
import { command, group } from './command.js';
import { confirm, yesOption, type Consent } from './confirm.js';
import { count, printJson, printLine, printTable, say } from './output.js';
import { parseSince } from './when.js';
import { demoOption, withOperator, type DemoChoice } from './with-database.js';

/** Without a key no secret can be stored. */
const withWebhooks: typeof withOperator = (access, work) => {
  if (loadConfig().webhooks.secretKeys.length > 0) return withOperator(access, work);
  throw new Error(
    'Webhooks are off: set WEBHOOK_SECRET_KEY, here and for the service, to 32 random bytes in base64 (openssl rand -base64 32).',
  );
};

function commandForOne(name: string, description: string): Command {
  return command(name, description).argument('<id>', 'as "webhooks list" shows it');
}

function commandThatChanges(name: string, description: string): Command {
  return commandForOne(name, description).addOption(demoOption());
}

interface AddOptions extends DemoChoice {
  readonly customer?: string;
  readonly type?: string[];
  readonly description?: string;
}

const add = command(
  'add',
  'send events to a URL from now on; prints the signing secret, once',
  'webhooks add https://example.com/hook --type tank.low tank.silent',
)
  .argument('<url>', 'an https address')
  .option('--customer <id>', "only the events of this customer's tanks")
  .addOption(new Option('--type <type...>', 'only these events').choices(EVENT_TYPES))
  .option('--description <text>', 'what it is for')
  .addOption(demoOption())
  .action(async (url: string, options: AddOptions) => {
    const { customer: customerId = null, description = null, type } = options;
    const types = type === undefined ? null : [...new Set(type)];
    const { href } = checkUrl(url, loadConfig().webhooks);
    const { id, secret } = await withWebhooks(options, ({ endpoints }) =>
      endpoints.add({ url: href, customerId, types, description }),
    );
    printLine(secret);
    say(id);
  });

const list = command('list', 'list all webhooks; never a secret')
  .option('--json', 'one JSON array instead of a table')
  .action(async ({ json }: { json?: boolean }) => {
    const records = await withWebhooks('read', ({ endpoints }) => endpoints.list());
    if (json === true) return printJson(records);
    printTable(
      ['id', 'url', 'state', 'customer', 'types', 'pending', 'failing_since', 'created_at', 'description'],
      records.map((endpoint) => ({ ...endpoint, types: endpoint.types ?? 'all' })),
    );
  });

function parseLimit(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('Give a whole number; 0 for all.');
}

const deliveries = commandForOne(
  'deliveries',
  'what was sent to a webhook and how it was answered, newest first',
)
  .option('--failed', 'only those that failed, for now or for good')
  .option('--limit <n>', 'how many at most; 0 for all', parseLimit, 200)
  .option('--json', 'one JSON array instead of a table')
  .action(
    async (
      id: string,
      { failed = false, limit, json }: { failed?: boolean; limit: number; json?: boolean },
    ) => {
      const { sent, total } = await withWebhooks('read', async ({ endpoints, deliveries: log }) => {
        await endpoints.find(id);
        return {
          sent: await log.list(id, failed, limit === 0 ? null : limit),
          total: await log.count(id, failed),
        };
      });
      if (sent.length < total) say(`The newest ${sent.length} of ${total}; --limit 0 shows all.`);
      if (json === true) return printJson(sent);
      const times = ['created_at', 'last_tried_at', 'next_try_at'] as const;
      printTable(
        ['event_id', 'type', 'tank_id', 'status', 'tries', ...times, 'answer'],
        sent.map((delivery) => ({ ...delivery, answer: delivery.reason ?? delivery.last_status })),
      );
    },
  );

const rollSecret = commandThatChanges(
  'roll-secret',
  'print a new signing secret, once; the old one signs too for 24 hours',
).action(async (id: string, options: DemoChoice) => {
  printLine(await withWebhooks(options, ({ endpoints }) => endpoints.rollSecret(id)));
});

const test = commandForOne('test', 'send a ping now; exit 1 unless it is answered with a 2xx').action(
  async (id: string) => {
    const { url, secrets } = await withWebhooks('read', ({ endpoints }) => endpoints.find(id));
    const outcome = await sendPing(new Sender(loadConfig().webhooks), url, secrets);
    say(outcome.delivered ? `Answered ${outcome.status}.` : `Not delivered: ${outcome.reason}.`);
    if (!outcome.delivered) process.exitCode = 1;
  },
);

const replay = commandThatChanges('replay', 'send the events since a time again, with their first ids')
  .requiredOption('--since <when>', 'a datetime, a date, or a span such as 24h', parseSince)
  .action(async (id: string, options: DemoChoice & { since: string }) => {
    const queued = await withWebhooks(options, ({ endpoints }) => endpoints.replay(id, options.since));
    say(`${queued} ${queued === 1 ? 'event is' : 'events are'} sent again.`);
  });

const remove = commandThatChanges('remove', 'remove a webhook and the log of what was sent to it')
  .addOption(yesOption())
  .action(async (id: string, options: DemoChoice & Consent) => {
    await withWebhooks(options, async ({ endpoints }) => {
      const endpoint = (await endpoints.list()).find((one) => one.id === id);
      if (endpoint !== undefined) {
        const lost = `${endpoint.pending} pending ${endpoint.pending === 1 ? 'delivery' : 'deliveries'}`;
        await confirm(options, `This removes the webhook to ${endpoint.url}, with ${lost}.`);
      }
      await endpoints.remove(id);
    });
    say(`${id} is removed.`);
  });

const turn = (to: 'enable' | 'disable', description: string): Command =>
  commandThatChanges(to, description).action(async (id: string, options: DemoChoice) => {
    await withWebhooks(options, ({ endpoints }) => endpoints[to](id));
    say(`${id} is ${to}d.`);
  });

const resume = command('resume', 'deliver from this database, which was restored from a backup of another')
  .option('--discard', 'do not send what was pending when the backup was made')
  .addOption(demoOption())
  .action(async ({ discard = false, ...options }: DemoChoice & { discard?: boolean }) => {
    const { resumed, pending } = await withWebhooks(options, ({ endpoints }) => endpoints.resume(discard));
    const result = discard ? 'discarded' : 'sent, perhaps for the second time';
    say(`${count(resumed, 'webhook')} resumed; ${count(pending, 'pending event')} ${result}.`);
  });

const reencrypt = command(
  'reencrypt',
  'encrypt all secrets with the first key of WEBHOOK_SECRET_KEY, so that the old one can go',
)
  .addOption(demoOption())
  .action(async (options: DemoChoice) => {
    const { sealed, unreadable } = await withWebhooks(options, ({ endpoints }) => endpoints.reencrypt());
    say(`${count(sealed, 'secret')} encrypted with the first key.`);
    if (unreadable.length === 0) return;
    say(
      `No key decrypts ${unreadable.join(', ')}: add the key it was encrypted with, or run "webhooks roll-secret" for it.`,
    );
    process.exitCode = 1;
  });

export const webhooksCommand = group('webhooks', 'send events to other systems', [
  add,
  list,
  remove,
  turn('enable', 'send events again, but not those of the time it was disabled'),
  turn('disable', 'send nothing for now'),
  rollSecret,
  test,
  deliveries,
  replay,
  resume,
  reencrypt,
]);
