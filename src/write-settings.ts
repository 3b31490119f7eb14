// `npm run settings`: writes .env.example and the tables in docs/configuration.md from the table of settings.
import { readFile, writeFile } from 'node:fs/promises';
import { envExample, withSettingTables } from './config/settings-docs.js';
import { inProject } from './project.js';

const page = inProject('docs/configuration.md');
await writeFile(inProject('.env.example'), envExample());
await writeFile(page, withSettingTables(await readFile(page, 'utf8')));
