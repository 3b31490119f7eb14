// `webhooks`: where events are sent to. A signing secret goes to stdout, alone and once; everything else to stderr.
import { Argument, Command, InvalidArgumentError } from 'commander';
import { EVENT_TYPES } from '../alerts/event-types.js';
import { checkUrl } from '../alerts/webhooks/addresses.js';
import { sendPing } from '../alerts/webhooks/ping.js';
import { Sender } from '../alerts/webhooks/send.js';
import { loadConfig } from '../config/config.js';
import { confirm, yesOption, type Consent } from './confirm.js';
import { printTable } from './print-table.js';
import { count, say } from './say.js';
import { parseSince } from './when.js';
import {
  changeAsOperator,
  demoOption,
  readAsOperator,
  type DemoChoice,
  type OperatorWork,
} from './with-database.js';

/** Without a key no secret can be kept: webhooks are off. */
function assertOn(): void {
  if (loadConfig().webhooks.secretKeys.length > 0) return;
  throw new Error(
    'Webhooks are off: set WEBHOOK_SECRET_KEY, here and for the service, to 32 random bytes in base64 (openssl rand -base64 32).',
  );
}

function readWebhooks<T>(work: OperatorWork<T>): Promise<T> {
  assertOn();
  return readAsOperator(work);
}

function changeWebhooks<T>(choice: DemoChoice, work: OperatorWork<T>): Promise<T> {
  assertOn();
  return changeAsOperator(choice, work);
}

const ID = () => new Argument('<id>', 'as "webhooks list" shows it');

interface AddOptions extends DemoChoice {
  readonly customer?: string;
  readonly type?: string[];
  readonly description?: string;
}

const add = new Command('add')
  .description('send events to a URL from now on; prints the signing secret, once')
  .argument('<url>', 'an https address')
  .option('--customer <id>', "only the events of this customer's tanks")
  .option('--type <type...>', `only these events: ${EVENT_TYPES.join(', ')}`)
  .option('--description <text>', 'what it is for')
  .addOption(demoOption())
  .addHelpText(
    'after',
    '\nExample:\n  $ npx tank-monitoring webhooks add https://example.com/hook --type tank.low tank.silent',
  )
  .action(async (url: string, options: AddOptions) => {
    const unknown = options.type?.find((type) => !EVENT_TYPES.some((known) => known === type));
    if (unknown !== undefined)
      throw new Error(`There is no event "${unknown}"; there are ${EVENT_TYPES.join(', ')}.`);
    const { href } = checkUrl(url, loadConfig().webhooks);
    const { id, secret } = await changeWebhooks(options, ({ endpoints }) =>
      endpoints.add({
        url: href,
        customerId: options.customer ?? null,
        types: options.type === undefined ? null : [...new Set(options.type)],
        description: options.description ?? null,
      }),
    );
    process.stdout.write(`${secret}\n`);
    say(id);
  });

const list = new Command('list')
  .description('list all webhooks; never a secret')
  .option('--json', 'one JSON array instead of a table')
  .action(async ({ json }: { json?: boolean }) => {
    const records = await readWebhooks(({ endpoints }) => endpoints.list());
    if (json === true) return printJson(records);
    printTable(
      ['id', 'url', 'state', 'customer', 'types', 'pending', 'failing since', 'created', 'description'],
      records.map((endpoint) => [
        endpoint.id,
        endpoint.url,
        endpoint.state,
        endpoint.customer,
        endpoint.types?.join(' ') ?? 'all',
        endpoint.pending,
        endpoint.failing_since,
        endpoint.created_at,
        endpoint.description,
      ]),
    );
  });

interface DeliveriesOptions {
  readonly failed?: boolean;
  readonly limit: number;
  readonly json?: boolean;
}

function parseLimit(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('Give a whole number; 0 for all.');
}

const deliveries = new Command('deliveries')
  .description('what was sent to a webhook and how it was answered, newest first')
  .addArgument(ID())
  .option('--failed', 'only those that failed, for now or for good')
  .option('--limit <n>', 'how many at most; 0 for all', parseLimit, 200)
  .option('--json', 'one JSON array instead of a table')
  .action(async (id: string, { failed = false, limit, json }: DeliveriesOptions) => {
    const { sent, total } = await readWebhooks(async ({ endpoints, deliveries: log }) => {
      await endpoints.find(id);
      return {
        sent: await log.list(id, failed, limit === 0 ? null : limit),
        total: await log.count(id, failed),
      };
    });
    if (sent.length < total) say(`The newest ${sent.length} of ${total}; --limit 0 shows all.`);
    if (json === true) return printJson(sent);
    printTable(
      ['event', 'type', 'tank', 'status', 'tries', 'created', 'last try', 'next try', 'answer'],
      sent.map((delivery) => [
        delivery.event_id,
        delivery.type,
        delivery.tank_id,
        delivery.status,
        delivery.tries,
        delivery.created_at,
        delivery.last_tried_at,
        delivery.next_try_at,
        delivery.reason ?? delivery.last_status,
      ]),
    );
  });

const rollSecret = new Command('roll-secret')
  .description('print a new signing secret, once; the old one signs too for 24 hours')
  .addArgument(ID())
  .addOption(demoOption())
  .action(async (id: string, options: DemoChoice) => {
    process.stdout.write(`${await changeWebhooks(options, ({ endpoints }) => endpoints.rollSecret(id))}\n`);
  });

const test = new Command('test')
  .description('send a ping now; exit 1 unless it is answered with a 2xx')
  .addArgument(ID())
  .action(async (id: string) => {
    const { url, secrets } = await readWebhooks(({ endpoints }) => endpoints.find(id));
    const outcome = await sendPing(new Sender(loadConfig().webhooks), url, secrets);
    say(outcome.delivered ? `Answered ${outcome.status}.` : `Not delivered: ${outcome.reason}.`);
    if (!outcome.delivered) process.exitCode = 1;
  });

const replay = new Command('replay')
  .description('send the events since a time once more, with their first ids')
  .addArgument(ID())
  .requiredOption('--since <when>', 'a datetime, a date, or a span such as 24h', parseSince)
  .addOption(demoOption())
  .action(async (id: string, options: DemoChoice & { since: string }) => {
    const queued = await changeWebhooks(options, ({ endpoints }) => endpoints.replay(id, options.since));
    say(`${queued} ${queued === 1 ? 'event is' : 'events are'} sent again.`);
  });

const remove = new Command('remove')
  .description('forget a webhook and what was sent to it')
  .addArgument(ID())
  .addOption(yesOption())
  .addOption(demoOption())
  .action(async (id: string, options: DemoChoice & Consent) => {
    await changeWebhooks(options, async ({ endpoints }) => {
      const endpoint = (await endpoints.list()).find((one) => one.id === id);
      if (endpoint !== undefined) {
        const lost = `${endpoint.pending} pending ${endpoint.pending === 1 ? 'delivery' : 'deliveries'}`;
        await confirm(options, `This removes the webhook to ${endpoint.url}, with ${lost}.`);
      }
      await endpoints.remove(id);
    });
    say(`${id} is removed.`);
  });

const resume = new Command('resume')
  .description('deliver from this database, which was restored from a backup of another')
  .option('--discard', 'do not send what was pending when the backup was made')
  .addOption(demoOption())
  .action(async ({ discard = false, ...options }: DemoChoice & { discard?: boolean }) => {
    const { resumed, pending } = await changeWebhooks(options, ({ endpoints }) => endpoints.resume(discard));
    const fate = discard ? 'discarded' : 'sent, perhaps for the second time';
    process.stderr.write(
      `${count(resumed, 'webhook')} resumed; ${count(pending, 'pending event')} ${fate}.\n`,
    );
  });

const reencrypt = new Command('reencrypt')
  .description('encrypt all secrets with the first key of WEBHOOK_SECRET_KEY, so that the old one can go')
  .addOption(demoOption())
  .action(async (options: DemoChoice) => {
    const { sealed, unreadable } = await changeWebhooks(options, ({ endpoints }) => endpoints.reencrypt());
    say(`${count(sealed, 'secret')} encrypted with the first key.`);
    if (unreadable.length === 0) return;
    say(`No key opens ${unreadable.join(', ')}: add the key it was made with, or "webhooks roll-secret" it.`);
    process.exitCode = 1;
  });

/** Commands that do one thing to an endpoint and say so. */
function change(name: 'enable' | 'disable', description: string): Command {
  return new Command(name)
    .description(description)
    .addArgument(ID())
    .addOption(demoOption())
    .action(async (id: string, options: DemoChoice) => {
      await changeWebhooks(options, ({ endpoints }) => endpoints[name](id));
      say(`${id} is ${name}d.`);
    });
}

function printJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
}

export const webhooksCommand = new Command('webhooks')
  .description('send events to other systems')
  .addCommand(add)
  .addCommand(list)
  .addCommand(remove)
  .addCommand(change('enable', 'send events again; those of the time it was disabled are not sent'))
  .addCommand(change('disable', 'send nothing for now'))
  .addCommand(rollSecret)
  .addCommand(test)
  .addCommand(deliveries)
  .addCommand(replay)
  .addCommand(resume)
  .addCommand(reencrypt);
