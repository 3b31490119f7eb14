// `webhooks`: where events are sent to. A signing secret goes to stdout, alone and once; everything else to stderr.
import { InvalidArgumentError, Option, type Command } from 'commander';
import { EVENT_TYPES } from '../../rules.js';
import { Problem } from '../../common/problems/problem.js';
import { checkUrl } from '../../webhooks/addresses.js';
import { loadConfig } from '../../platform/config/config.js';
import {
  command,
  confirm,
  count,
  group,
  printJson,
  printLine,
  printTable,
  say,
  yesOption,
  type Consent,
} from './command.js';
import { parseSince } from './when.js';
import type { Operator } from './operator.js';
import { demoOption, withOperator, type DemoChoice } from './with-database.js';

/** Without a key no secret can be stored. */
const withWebhooks: typeof withOperator = (access, work) => {
  if (loadConfig().webhooks.secretKeys.length > 0) return withOperator(access, work);
  throw new Error(
    'Webhooks are off: set WEBHOOK_SECRET_KEY, here and for the service, to 32 random bytes in base64 (openssl rand -base64 32).',
  );
};

/** About one webhook: what the service says of its object is said of this id. */
const withOne = async <T>(
  id: string,
  access: Parameters<typeof withOperator>[0],
  work: (operator: Operator) => Promise<T>,
): Promise<T> => {
  try {
    return await withWebhooks(access, work);
  } catch (error) {
    throw error instanceof Problem && error.code === 'not_found' ? unknown(id) : error;
  }
};

function unknown(id: string): Error {
  return new Error(`There is no webhook with the id "${id}"; "webhooks list" shows them.`);
}

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
    const { customer: customer_id = null, description = null, type: types = null } = options;
    const { href } = checkUrl(url, loadConfig().webhooks);
    const { object } = await withWebhooks(options, ({ endpoints, by }) =>
      endpoints.create({ url: href, customer_id, types, description }, by('webhooks add')),
    ).catch((error: unknown) => {
      // Of what was given, the customer alone can be wrong.
      if (!(error instanceof Problem) || error.code !== 'invalid_fields') throw error;
      throw new Error(`There is no customer with the id "${customer_id}".`);
    });
    printLine(object.secret);
    say(object.id);
  });

const list = command('list', 'list all webhooks; never a secret')
  .option('--json', 'one JSON array instead of a table')
  .action(async ({ json }: { json?: boolean }) => {
    const records = await withWebhooks('read', ({ register }) => register.list());
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
      const { sent, total } = await withWebhooks('read', async ({ register, deliveries: log }) => {
        if (!(await register.has(id))) throw unknown(id);
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
  const { object } = await withOne(id, options, ({ endpoints, by }) =>
    endpoints.rollSecret(id, by('webhooks roll-secret')),
  );
  printLine(object.secret);
});

const test = commandForOne('test', 'send a ping now; exit 1 unless it is answered with a 2xx').action(
  async (id: string) => {
    const { object } = await withOne(id, 'read', ({ endpoints, by }) =>
      endpoints.test(id, by('webhooks test')),
    );
    say(object.delivered ? `Answered ${object.status}.` : `Not delivered: ${object.detail}.`);
    if (!object.delivered) process.exitCode = 1;
  },
);

const replay = commandThatChanges('replay', 'send the events since a time again, with their first ids')
  .requiredOption('--since <when>', 'a datetime, a date, or a span such as 24h', parseSince)
  .action(async (id: string, options: DemoChoice & { since: string }) => {
    const { object } = await withOne(id, options, ({ endpoints, by }) =>
      endpoints.replay(id, options.since, by('webhooks replay')),
    );
    const { queued } = object;
    say(`${queued} ${queued === 1 ? 'event is' : 'events are'} sent again.`);
  });

const remove = commandThatChanges('remove', 'remove a webhook and the log of what was sent to it')
  .addOption(yesOption())
  .action(async (id: string, options: DemoChoice & Consent) => {
    await withOne(id, options, async ({ endpoints, register, by }) => {
      const endpoint = (await register.list()).find((one) => one.id === id);
      if (endpoint !== undefined) {
        const lost = `${endpoint.pending} pending ${endpoint.pending === 1 ? 'delivery' : 'deliveries'}`;
        await confirm(options, `This removes the webhook to ${endpoint.url}, with ${lost}.`);
      }
      await endpoints.remove(id, by('webhooks remove'));
    });
    say(`${id} is removed.`);
  });

const turn = (to: 'enable' | 'disable', description: string): Command =>
  commandThatChanges(to, description).action(async (id: string, options: DemoChoice) => {
    const enabled = to === 'enable';
    await withOne(id, options, ({ endpoints, by }) =>
      endpoints.patch(id, { enabled }, by(`webhooks ${to}`), 'the operator disabled it'),
    );
    say(`${id} is ${to}d.`);
  });

const resume = command(
  'resume',
  'deliver and send mails from this database, which was restored from a backup of another',
)
  .option('--discard', 'do not send what was pending when the backup was made')
  .addOption(demoOption())
  .action(async ({ discard = false, ...options }: DemoChoice & { discard?: boolean }) => {
    const { resumed, pending, mails } = await withWebhooks(options, ({ register }) =>
      register.resume(discard),
    );
    const result = discard ? 'discarded' : 'sent, perhaps for the second time';
    say(`${count(resumed, 'webhook')} resumed; ${count(pending, 'pending event')} ${result}.`);
    if (mails !== null) say(`Mails are sent from here; ${count(mails, 'pending mail')} ${result}.`);
  });

const reencrypt = command(
  'reencrypt',
  'encrypt all secrets with the first key of WEBHOOK_SECRET_KEY, so that the old one can go',
)
  .addOption(demoOption())
  .action(async (options: DemoChoice) => {
    const { sealed, unreadable } = await withWebhooks(options, ({ register }) => register.reencrypt());
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
