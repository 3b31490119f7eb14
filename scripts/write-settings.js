// `npm run settings`: writes .env.example and the tables in docs/configuration.md from the table of settings.
import { readFile, writeFile } from 'node:fs/promises';
import { envExample, withSettingTables } from '../build/platform/config/settings-docs.js';

const page = 'docs/configuration.md';
await writeFile('.env.example', envExample());
await writeFile(page, withSettingTables(await readFile(page, 'utf8')));
