// `keys`: create, list, roll and revoke API keys. A key goes to stdout, alone; it is never shown again.
import { Command, InvalidArgumentError } from 'commander';
import { KeyRegistry } from '../auth/key-registry.js';
import { DEFAULT_SCOPES, SCOPES, type Scope } from '../auth/scope.js';
import { DAY_MS, parseDatetime, type ParsedDatetime } from '../datetime/datetime.js';
import { printTable } from './print-table.js';
import { withDatabase } from './with-database.js';

const UNITS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;
const MAX_SPAN_MS = 100 * 366 * UNITS.d;

function parseSpan(text: string): number {
  const match = /^(\d{1,9})([smhdw])$/.exec(text);
  const unit = match?.[2] as keyof typeof UNITS | undefined;
  const span = unit === undefined ? NaN : Number(match?.[1]) * UNITS[unit];
  if (span >= 0 && span <= MAX_SPAN_MS) return span;
  throw new InvalidArgumentError('Give a span such as 90d, 24h, 30m or 45s.');
}

function parseWhen(text: string): Date {
  const datetime = parseDatetime(text);
  const when = datetime === undefined ? Date.now() + parseWhenSpan(text) : endOf(datetime);
  if (when <= Date.now()) throw new InvalidArgumentError('That time has passed already.');
  return new Date(when);
}

/** A date alone lasts to its end, in UTC. */
function endOf({ milliseconds, isDate }: ParsedDatetime): number {
  return isDate ? milliseconds + DAY_MS : milliseconds;
}

function parseWhenSpan(text: string): number {
  try {
    return parseSpan(text);
  } catch {
    throw new InvalidArgumentError('Give a datetime such as 2027-01-31T00:00:00Z or a span such as 90d.');
  }
}

function parseName(text: string): string {
  const name = text.trim();
  if (name.length >= 1 && name.length <= 200 && !name.includes('\0')) return name;
  throw new InvalidArgumentError('A name has 1 to 200 characters.');
}

const EXAMPLES_OF_CREATE = `
Examples:
  $ tank-monitoring keys create --name "route planner" --expires 90d
  $ tank-monitoring keys create --name "gateway 7" --scope telemetry:write`;

function collectScope(text: string, before: readonly Scope[] = []): Scope[] {
  const scope = SCOPES.find((known) => known === text);
  if (scope === undefined) throw new InvalidArgumentError(`There are: ${SCOPES.join(', ')}.`);
  return [...before, scope];
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
  .option('--expires <when>', 'a datetime, or a span such as 90d', parseWhen)
  .addHelpText('after', EXAMPLES_OF_CREATE)
  .action(async (options: { name: string; customer?: string; expires?: Date; scope?: Scope[] }) => {
    const key = await withDatabase((dataSource) =>
      new KeyRegistry(dataSource).create({
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
  .addHelpText('after', '\nExample:\n  $ tank-monitoring keys list --json')
  .action(async ({ json }: { json?: boolean }) => {
    const keys = await withDatabase((dataSource) => new KeyRegistry(dataSource).list());
    if (json === true) process.stdout.write(`${JSON.stringify(keys, null, 2)}\n`);
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
      ] as const;
      printTable(
        columns.map((column) => column.replace(/_at$/, '').replace('_', ' ')),
        keys.map((key) =>
          columns.map((column) => (column === 'scopes' ? key.scopes.join(' ') : key[column])),
        ),
      );
    }
  });

const roll = new Command('roll')
  .description('print a new key with the same name, bounds and scopes; the old one ends after the grace')
  .argument('<prefix>', 'the part of the key before the dot')
  .option('--grace <span>', 'how long the old key still works', parseSpan, 24 * UNITS.h)
  .addHelpText('after', '\nExample:\n  $ tank-monitoring keys roll tms_Zx81aQ2b --grace 48h')
  .action(async (prefix: string, { grace }: { grace: number }) => {
    const key = await withDatabase((dataSource) => new KeyRegistry(dataSource).roll(prefix, grace));
    process.stdout.write(`${key}\n`);
  });

const revoke = new Command('revoke')
  .description('end a key; running services refuse it within 5 seconds')
  .argument('<prefix>', 'the part of the key before the dot')
  .addHelpText('after', '\nExample:\n  $ tank-monitoring keys revoke tms_Zx81aQ2b')
  .action(async (prefix: string) => {
    await withDatabase((dataSource) => new KeyRegistry(dataSource).revoke(prefix));
    process.stderr.write(`${prefix} is revoked.\n`);
  });

export const keysCommand = new Command('keys')
  .description('create, list, roll and revoke API keys')
  .addCommand(create)
  .addCommand(list)
  .addCommand(roll)
  .addCommand(revoke);
