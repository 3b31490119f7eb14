// Creates commands and groups of them.
import { Command } from 'commander';

/** `example` is what follows the program's name. */
export function command(name: string, description: string, example?: string): Command {
  const made = new Command(name).description(description);
  return example === undefined
    ? made
    : made.addHelpText('after', `\nExample:\n  $ npx tank-monitoring ${example}`);
}

export function group(name: string, description: string, commands: readonly Command[]): Command {
  const made = new Command(name).description(description);
  for (const one of commands) made.addCommand(one);
  return made;
}
