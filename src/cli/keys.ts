// `keys`: create, list, roll and revoke API keys. A key goes to stdout, alone; it is never shown again.
import { Command, InvalidArgumentError } from 'commander';
import type { KeyRecord } from '../auth/key-registry.js';
import { DEFAULT_SCOPES, SCOPES, type Scope } from '../auth/scope.js';
import { confirm, yesOption, type Consent } from './confirm.js';
import { printTable } from './print-table.js';
import { say } from './say.js';
import { parseExpiry, parseSpan } from './when.js';
import { changeAsOperator, demoOption, readAsOperator, type DemoChoice } from './with-database.js';

function parseName(text: string): string {
  const name = text.trim();
  if (name.length >= 1 && name.length <= 200 && !name.includes('\0')) return name;
  throw new InvalidArgumentError('A name has 1 to 200 characters.');
}

const EXAMPLES_OF_CREATE = `
Examples:
  $ npx tank-monitoring keys create --name "route planner" --expires 90d
  $ npx tank-monitoring keys create --name "gateway 7" --scope telemetry:write`;

function collectScope(text: string, before: readonly Scope[] = []): Scope[] {
  const scope = SCOPES.find((known) => known === text);
  if (scope === undefined) throw new InvalidArgumentError(`There are: ${SCOPES.join(', ')}.`);
  return [...before, scope];
}

interface NewKeyOptions extends DemoChoice {
  readonly name: string;
  readonly customer?: string;
  readonly expires?: Date;
  readonly scope?: Scope[];
}

const create = new Command('create')
  .description('create a key and print it, once')
  .requiredOption('--name <name>', 'what the key is for', parseName)
  .option(
    '--customer <id>',
    'bind the key to one customer: it sees that customer, its tanks and their telemetry only',
  )
  .option(
    '--scope <scope>',
    `what the key may do: ${SCOPES.join(' or ')}; repeat it for both (default: ${DEFAULT_SCOPES.join()})`,
    collectScope,
  )
  .option('--expires <when>', 'a datetime, or a span such as 90d', parseExpiry)
  .addOption(demoOption())
  .addHelpText('after', EXAMPLES_OF_CREATE)
  .action(async (options: NewKeyOptions) => {
    const key = await changeAsOperator(options, ({ keys }) =>
      keys.create({
        name: options.name,
        customerId: options.customer ?? null,
        expiresAt: options.expires ?? null,
        scopes: options.scope ?? DEFAULT_SCOPES,
      }),
    );
    process.stdout.write(`${key}\n`);
  });

const list = new Command('list')
  .description('list all keys; never a secret')
  .option('--json', 'one JSON array instead of a table')
  .addHelpText('after', '\nExample:\n  $ npx tank-monitoring keys list --json')
  .action(async ({ json }: { json?: boolean }) => {
    const records = await readAsOperator(({ keys }) => keys.list());
    if (json === true) process.stdout.write(`${JSON.stringify(records, null, 2)}\n`);
    else {
      const columns = [
        'prefix',
        'name',
        'customer',
        'scopes',
        'created_at',
        'expires_at',
        'revoked_at',
        'last_used_at',
        'state',
      ] as const;
      printTable(
        columns.map((column) => column.replace(/_at$/, '').replace('_', ' ')),
        records.map((key) =>
          columns.map((column) => (column === 'scopes' ? key.scopes.join(' ') : key[column])),
        ),
      );
    }
  });

const DEFAULT_GRACE_MS = 24 * 3_600_000;
const WHICH_KEY = 'the part of the key before the dot, or the whole key';

/** Whoever has the whole key at hand may paste it; its secret is never repeated, right or wrong. */
function prefixIn(named: string): string {
  const [prefix = ''] = named.trim().split('.');
  if (/^[A-Za-z0-9_-]{4,32}$/.test(prefix)) return prefix;
  throw new Error('That is neither a key nor the prefix of one, such as tms_Zx81aQ2b; see "keys list".');
}

const roll = new Command('roll')
  .description('print a new key with the same name, bounds and scopes; the old one ends after the grace')
  .argument('<prefix>', WHICH_KEY)
  .option('--grace <span>', 'how long the old key still works (default: 24h)', parseSpan)
  .addOption(demoOption())
  .addHelpText('after', '\nExample:\n  $ npx tank-monitoring keys roll tms_Zx81aQ2b --grace 48h')
  .action(async (named: string, options: DemoChoice & { grace?: number }) => {
    const [prefix, grace] = [prefixIn(named), options.grace ?? DEFAULT_GRACE_MS];
    const key = await changeAsOperator(options, ({ keys }) => keys.roll(prefix, grace));
    process.stdout.write(`${key}\n`);
  });

const revoke = new Command('revoke')
  .description('end a key; running services refuse it within 5 seconds')
  .argument('<prefix>', WHICH_KEY)
  .addOption(yesOption())
  .addOption(demoOption())
  .addHelpText('after', '\nExample:\n  $ npx tank-monitoring keys revoke tms_Zx81aQ2b')
  .action(async (named: string, options: DemoChoice & Consent) => {
    const prefix = prefixIn(named);
    await changeAsOperator(options, async ({ keys }) => {
      const key = (await keys.list()).find((one) => one.prefix === prefix);
      if (key?.revoked_at === null) await confirm(options, `This ends ${describe(key)}.`);
      await keys.revoke(prefix);
    });
    say(`${prefix} is revoked.`);
  });

function describe({ prefix, name, last_used_at }: KeyRecord): string {
  const use = last_used_at === null ? 'never used' : `last used ${last_used_at.toISOString()}`;
  return `the key ${prefix}, "${name}", ${use}`;
}

export const keysCommand = new Command('keys')
  .description('create, list, roll and revoke API keys')
  .addCommand(create)
  .addCommand(list)
  .addCommand(roll)
  .addCommand(revoke);
