#!/usr/bin/env node
// The operator's command line. Results go to stdout, everything else to stderr; exit 0 done, 1 refused or failed, 2 wrong usage.
import { Command, CommanderError } from 'commander';
import 'reflect-metadata';
import { keysCommand } from './cli/keys.js';
import { migrateCommand } from './cli/migrate.js';
import { VERSION } from './version.js';

const program = new Command('tank-monitoring')
  .description("The Tank Monitoring Service's operator commands")
  .version(VERSION)
  .showHelpAfterError('(add --help for usage)')
  .addCommand(migrateCommand)
  .addCommand(keysCommand);

throwInsteadOfExiting(program);
try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = report(error);
}

function throwInsteadOfExiting(command: Command): void {
  command.exitOverride();
  command.commands.forEach(throwInsteadOfExiting);
}

/** One clear line, never a stack trace. */
function report(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2; // commander has said why
  const message = error instanceof Error && error.message !== '' ? error.message : String(error);
  process.stderr.write(`error: ${message}\n`);
  return 1;
}
