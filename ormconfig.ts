// The DataSource for TypeORM's own command line, with the options of ours: `npm run typeorm -- migration:show`. It is bundled to
// build/platform/typeorm/ first: TypeORM cannot load TypeScript in a project of ES modules.
import { loadConfig } from './src/platform/config/config.js';
import { operatorOptions } from './src/platform/database/data-source.js';
import { DataSource } from 'typeorm';

const { databaseUrl } = loadConfig();
if (databaseUrl === undefined) throw new Error("Set DATABASE_URL to use TypeORM's command line.");

export default new DataSource(operatorOptions(databaseUrl));
