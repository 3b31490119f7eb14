#!/usr/bin/env node
// The operator's command line. Results go to stdout, everything else to stderr; exit 0 done, 1 refused or failed, 2 wrong usage.
import { Command, CommanderError } from 'commander';
import 'reflect-metadata';
import { NotConfirmed, say } from './operator/commands/command.js';
import { ConfigError } from './platform/config/config.js';
import { VERSION } from './platform/config/project.js';
import { findCode, describeFailure } from './platform/database/failures.js';

const UNDEFINED_TABLE = '42P01'; // SQLSTATE

/** In the order of the help. Only the one that is asked for is loaded: all of them take a second. */
const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  migrate: async () => (await import('./operator/commands/migrate.js')).migrateCommand,
  keys: async () => (await import('./operator/commands/keys.js')).keysCommand,
  customers: async () => (await import('./operator/commands/customers.js')).customersCommand,
  import: async () => (await import('./operator/commands/import.js')).importCommand,
  export: async () => (await import('./operator/commands/export.js')).exportCommand,
  counts: async () => (await import('./operator/commands/counts.js')).countsCommand,
  forecasts: async () => (await import('./operator/commands/forecasts.js')).forecastsCommand,
  retention: async () => (await import('./operator/commands/retention.js')).retentionCommand,
  partition: async () => (await import('./operator/commands/partition.js')).partitionCommand,
  cluster: async () => (await import('./operator/commands/cluster.js')).clusterCommand,
  webhooks: async () => (await import('./operator/commands/webhooks.js')).webhooksCommand,
  worker: async () => (await import('./operator/commands/worker.js')).workerCommand,
};

const program = new Command('npx tank-monitoring')
  .description("The Tank Monitoring Service's operator commands")
  .version(VERSION);
const asked = process.argv[2] ?? '';
for (const load of Object.hasOwn(COMMANDS, asked) ? [COMMANDS[asked]] : Object.values(COMMANDS)) {
  if (load !== undefined) program.addCommand(await load());
}

forEachCommand(program, (command) => command.exitOverride().showHelpAfterError('(add --help for usage)'));
try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = report(error);
}

function forEachCommand(command: Command, work: (command: Command) => void): void {
  work(command);
  for (const inner of command.commands) forEachCommand(inner, work);
}

/** One clear line, never a stack trace. */
function report(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2; // commander has said why
  if (error instanceof ConfigError) {
    for (const line of error.message.split('\n')) say(line); // each is escaped, the line ends are ours
    return 1;
  }
  const advice = isTableMissing(error) ? ' (run "npx tank-monitoring migrate" first)' : '';
  say(`error: ${describeFailure(error)}${advice}`);
  return error instanceof NotConfirmed ? error.exitCode : 1;
}

function isTableMissing(error: unknown): boolean {
  return findCode(error) === UNDEFINED_TABLE || (error instanceof Error && isTableMissing(error.cause));
}
