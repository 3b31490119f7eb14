#!/usr/bin/env node
// The operator's command line. Results go to stdout, everything else to stderr; exit 0 done, 1 refused or failed, 2 wrong usage.
import { Command, CommanderError } from 'commander';
import 'reflect-metadata';
import { clusterCommand } from './cli/cluster.js';
import { NotConfirmed } from './cli/confirm.js';
import { countsCommand } from './cli/counts.js';
import { exportCommand } from './cli/export.js';
import { importCommand } from './cli/import.js';
import { keysCommand } from './cli/keys.js';
import { migrateCommand } from './cli/migrate.js';
import { partitionCommand } from './cli/partition.js';
import { retentionCommand } from './cli/retention.js';
import { say } from './cli/output.js';
import { webhooksCommand } from './cli/webhooks.js';
import { workerCommand } from './cli/worker.js';
import { codeOf, reasonOf } from './database/failures.js';
import { VERSION } from './version.js';

const UNDEFINED_TABLE = '42P01'; // SQLSTATE

const program = new Command('npx tank-monitoring')
  .description("The Tank Monitoring Service's operator commands")
  .version(VERSION)
  .addCommand(migrateCommand)
  .addCommand(keysCommand)
  .addCommand(importCommand)
  .addCommand(exportCommand)
  .addCommand(countsCommand)
  .addCommand(retentionCommand)
  .addCommand(partitionCommand)
  .addCommand(clusterCommand)
  .addCommand(webhooksCommand)
  .addCommand(workerCommand);

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
  const advice = isTableMissing(error) ? ' (run "npx tank-monitoring migrate" first)' : '';
  say(`error: ${reasonOf(error)}${advice}`);
  return error instanceof NotConfirmed ? error.exitCode : 1;
}

function isTableMissing(error: unknown): boolean {
  return codeOf(error) === UNDEFINED_TABLE || (error instanceof Error && isTableMissing(error.cause));
}
