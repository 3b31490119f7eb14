// `webhooks`: where events are sent to. A signing secret goes to stdout, alone and once; everything else to stderr.
import { Option, type Command } from 'commander';
import type { Writer } from '../../common/writes/recorded-writes.js';
import { loadConfig } from '../../platform/config/config.js';
import { EVENT_TYPES } from '../../rules.js';
import { checkUrl } from '../../webhooks/addresses.js';
import { command, confirm, count, group, printJson, printLine, printTable, say } from './command.js';
import { parseWhole, yesOption, type Consent } from './command.js';
import type { Operator } from './operator.js';
import { parseSince } from './when.js';
import { demoOption, withOperator, type DemoChoice } from './with-database.js';

/** Without a key no secret can be stored. */
const withWebhooks: typeof withOperator = (...given) => {
  if (loadConfig().webhooks.secretKeys.length > 0) return withOperator(...given);
  throw new Error(
    'Webhooks are off: set WEBHOOK_SECRET_KEY, here and for the service, to 32 random bytes in base64 (openssl rand -base64 32).',
  );
};

/** Nothing is changed unless `writer` is used. */
type ForOne<Options> = (services: Operator, id: string, options: Options, writer: Writer) => Promise<void>;

/** About one webhook. */
function ofOne<Options>(
  access: 'read' | 'change',
  name: string,
  description: string,
  work: ForOne<Options>,
): Command {
  const made = command(name, description).argument('<id>', 'as "webhooks list" shows it');
  if (access === 'change') made.addOption(demoOption());
  return made.action((id: string, options: Options & DemoChoice) =>
    withWebhooks(
      access === 'read' ? 'read' : options,
      (services) => work(services, id, options, services.by(`webhooks ${name}`)),
      { not_found: `There is no webhook with the id "${id}"; "webhooks list" shows them.` },
    ),
  );
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
  .action(async (given: string, options: AddOptions) => {
    const { customer: customer_id = null, description = null, type: types = null } = options;
    const { href: url } = checkUrl(given, loadConfig().webhooks);
    const { object } = await withWebhooks(
      options,
      ({ endpoints, by }) => endpoints.create({ url, customer_id, types, description }, by('webhooks add')),
      { invalid_fields: `There is no customer with the id "${customer_id}".` }, // of what was given, it alone can be wrong
    );
    printLine(object.secret);
    say(object.id);
  });

const list = command('list', 'list all webhooks; never a secret')
  .option('--json', 'one JSON array instead of a table')
  .action(async ({ json }: { json?: boolean }) => {
    const records = await withWebhooks('read', ({ endpoints }) => endpoints.listAll());
    if (json === true) return printJson(records);
    printTable(
      ['id', 'url', 'state', 'customer', 'types', 'pending', 'failing_since', 'created_at', 'description'],
      records.map((endpoint) => ({ ...endpoint, types: endpoint.types ?? 'all' })),
    );
  });

const parseLimit = parseWhole(0, 999_999_999, 'Give a whole number; 0 for all.');

const deliveries = ofOne(
  'read',
  'deliveries',
  'what was sent to a webhook and how it was answered, newest first',
  async (services, id, { failed, limit, json }: { failed?: boolean; limit: number; json?: boolean }) => {
    const { sent, total } = await services.deliveries.listNewest(id, failed, limit === 0 ? null : limit);
    if (sent.length < total) say(`The newest ${sent.length} of ${total}; --limit 0 shows all.`);
    if (json === true) return printJson(sent);
    const times = ['created_at', 'last_tried_at', 'next_try_at'] as const;
    printTable(
      ['event_id', 'type', 'tank_id', 'status', 'tries', ...times, 'answer'],
      sent.map((delivery) => ({ ...delivery, answer: delivery.reason ?? delivery.last_status })),
    );
  },
)
  .option('--failed', 'only those that failed, for now or for good')
  .option('--limit <n>', 'how many at most; 0 for all', parseLimit, 200)
  .option('--json', 'one JSON array instead of a table');

const rollSecret = ofOne(
  'change',
  'roll-secret',
  'print a new signing secret, once; the old one signs too for 24 hours',
  async ({ endpoints }, id, _, writer) => printLine((await endpoints.rollSecret(id, writer)).object.secret),
);

const test = ofOne(
  'read',
  'test',
  'send a ping now; exit 1 unless it is answered with a 2xx',
  async ({ tests }, id, _, writer) => {
    const { delivered, status, detail } = (await tests.test(id, writer)).object;
    say(delivered ? `Answered ${status}.` : `Not delivered: ${detail}.`);
    if (!delivered) process.exitCode = 1;
  },
);

const replay = ofOne(
  'change',
  'replay',
  'send the events since a time again, with their first ids',
  async (services, id, { since }: DemoChoice & { since: string }, writer) => {
    const { queued } = (await services.deliveries.replay(id, since, writer)).object;
    say(`${queued} ${queued === 1 ? 'event is' : 'events are'} sent again.`);
  },
).requiredOption('--since <when>', 'a datetime, a date, or a span such as 24h', parseSince);

const remove = ofOne(
  'change',
  'remove',
  'remove a webhook and the log of what was sent to it',
  async ({ endpoints }, id, options: DemoChoice & Consent, writer) => {
    const endpoint = (await endpoints.listAll()).find((one) => one.id === id);
    if (endpoint !== undefined) {
      const lost = `${endpoint.pending} pending ${endpoint.pending === 1 ? 'delivery' : 'deliveries'}`;
      await confirm(options, `This removes the webhook to ${endpoint.url}, with ${lost}.`);
    }
    await endpoints.remove(id, writer);
    say(`${id} is removed.`);
  },
).addOption(yesOption());

const turn = (to: 'enable' | 'disable', description: string): Command =>
  ofOne('change', to, description, async ({ endpoints }, id, _, writer) => {
    await endpoints.patch(id, { enabled: to === 'enable' }, writer);
    say(`${id} is ${to}d.`);
  });

const resume = command(
  'resume',
  'deliver and send mails from this database, which was restored from a backup of another',
)
  .option('--discard', 'do not send what was pending when the backup was made')
  .addOption(demoOption())
  .action(async ({ discard = false, ...options }: DemoChoice & { discard?: boolean }) => {
    const { resumed, pending, mails } = await withWebhooks(options, ({ endpoints, by }) =>
      endpoints.resume(discard, by('webhooks resume')),
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
    const { sealed, unreadable } = await withWebhooks(options, ({ endpoints, by }) =>
      endpoints.reencrypt(by('webhooks reencrypt')),
    );
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
