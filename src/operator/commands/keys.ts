// `keys`: create, list, roll and revoke API keys. A key goes to stdout, alone; it is never shown again.
import { InvalidArgumentError, Option } from 'commander';
import { DEFAULT_SCOPES, SCOPES, type Scope } from '../../common/auth/scope.js';
import { command, confirm, group, printJson, printLine, printTable, say, yesOption } from './command.js';
import type { Consent } from './command.js';
import type { Operator } from './operator.js';
import { parseExpiry, parseSpan } from './when.js';
import { demoOption, withOperator, type DemoChoice } from './with-database.js';

function parseName(text: string): string {
  const name = text.trim();
  if (name.length >= 1 && name.length <= 200 && !name.includes('\0')) return name;
  throw new InvalidArgumentError('A name has 1 to 200 characters.');
}

const EXAMPLES_OF_CREATE = `
Examples:
  $ npx tank-monitoring keys create --name "route planner" --expires 90d
  $ npx tank-monitoring keys create --name "gateway 7" --scope telemetry:write`;
const CUSTOMER = 'bind the key to one customer: it sees that customer, its tanks and their telemetry only';

interface NewKeyOptions extends DemoChoice {
  readonly name: string;
  readonly customer?: string;
  readonly expires?: Date;
  readonly scope: readonly Scope[];
}

const create = command('create', 'create a key and print it, once')
  .requiredOption('--name <name>', 'what the key is for', parseName)
  .option('--customer <id>', CUSTOMER)
  .addOption(
    new Option('--scope <scope...>', 'what the key may do').choices(SCOPES).default(DEFAULT_SCOPES, 'read'),
  )
  .option('--expires <when>', 'a datetime, or a span such as 90d', parseExpiry)
  .addOption(demoOption())
  .addHelpText('after', EXAMPLES_OF_CREATE)
  .action(async (options: NewKeyOptions) => {
    const { name, customer: customer_id = null, expires: expires_at = null, scope: scopes } = options;
    const { object } = await withOperator(
      options,
      ({ keys, by }) => keys.create({ name, customer_id, expires_at, scopes }, by('keys create')),
      { invalid_fields: `There is no customer with the id "${customer_id}".` }, // of what was given, it alone can be wrong
    );
    printLine(object.secret);
  });

const list = command('list', 'list all keys; never a secret', 'keys list --json')
  .option('--json', 'one JSON array instead of a table')
  .action(async ({ json }: { json?: boolean }) => {
    const records = await withOperator('read', ({ keys }) => keys.listAll());
    if (json === true) return printJson(records);
    const times = ['created_at', 'expires_at', 'revoked_at', 'last_used_at'] as const;
    printTable(['prefix', 'name', 'customer', 'scopes', ...times, 'state'], records);
  });

const DEFAULT_GRACE_MS = 24 * 3_600_000;
const WHICH_KEY = 'the part of the key before the dot, or the whole key';

const wordsAbout = (prefix: string) => ({
  not_found: `There is no key with the prefix "${prefix}".`,
  key_ended: `There is no active key with the prefix "${prefix}".`,
});

/** A whole key may be given; its secret is never printed. */
function prefixIn(named: string): string {
  const [prefix = ''] = named.trim().split('.');
  if (/^[A-Za-z0-9_-]{4,32}$/.test(prefix)) return prefix;
  throw new Error('That is neither a key nor the prefix of one, such as tms_Zx81aQ2b; see "keys list".');
}

const roll = command(
  'roll',
  'print a new key with the same name, customer and scopes; the old one ends after the grace period',
  'keys roll tms_Zx81aQ2b --grace 48h',
)
  .argument('<prefix>', WHICH_KEY)
  .option('--grace <span>', 'how long the old key still works (default: 24h)', parseSpan)
  .addOption(demoOption())
  .action(async (named: string, options: DemoChoice & { grace?: number }) => {
    const [prefix, grace] = [prefixIn(named), options.grace ?? DEFAULT_GRACE_MS];
    const rolling = ({ keys, by }: Operator) => keys.roll(prefix, grace / 1000, by('keys roll'));
    const { object } = await withOperator(options, rolling, wordsAbout(prefix));
    printLine(object.secret);
  });

const revoke = command(
  'revoke',
  'end a key; running services refuse it within 3 seconds',
  'keys revoke tms_Zx81aQ2b',
)
  .argument('<prefix>', WHICH_KEY)
  .addOption(yesOption())
  .addOption(demoOption())
  .action(async (named: string, options: DemoChoice & Consent) => {
    const prefix = prefixIn(named);
    const revoking = async ({ keys, by }: Operator) => {
      const key = (await keys.listAll()).find((one) => one.prefix === prefix);
      if (key?.revoked_at === null) {
        const use = key.last_used_at === null ? 'never used' : `last used ${key.last_used_at.toISOString()}`;
        await confirm(options, `This ends the key ${prefix}, "${key.name}", ${use}.`);
      }
      await keys.revoke(prefix, by('keys revoke'));
    };
    await withOperator(options, revoking, wordsAbout(prefix));
    say(`${prefix} is revoked.`);
  });

export const keysCommand = group('keys', 'create, list, roll and revoke API keys', [
  create,
  list,
  roll,
  revoke,
]);
