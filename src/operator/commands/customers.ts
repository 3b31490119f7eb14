// `customers`: erase one for good.
import { command, confirm, group, printJson, say, yesOption, type Consent } from './command.js';
import type { Operator } from './operator.js';
import { demoOption, withOperator, type DemoChoice } from './with-database.js';

const erase = command(
  'erase',
  'forget a customer for good, and print how much was erased',
  'customers erase 019b7a6e-2c00-7d3c-9a51-5f0f5b1c2a77',
)
  .argument('<id>', 'of the customer')
  .addOption(yesOption())
  .addOption(demoOption())
  .action(async (id: string, options: DemoChoice & Consent) => {
    const words = { not_found: `There is no customer with the id "${id}".` };
    const erasing = async ({ erasure, by }: Operator) => {
      const what = `the customer "${id}" with its tanks, recipients, users, keys and webhooks, and its name in events and activity`;
      await confirm(options, `This erases ${what}. Readings stay. It cannot be undone.`);
      return erasure.run(id, by('customers erase'));
    };
    const { object } = await withOperator(options, erasing, words);
    printJson(object);
    say(
      'Backups, exports, logs and receivers of webhooks may still have it: docs/data.md says where to look.',
    );
  });

export const customersCommand = group('customers', 'erase a customer for good', [erase]);
