// The DataSource for TypeORM's own tooling, built from the same options as the service.
import { loadConfig } from './src/config/config.js';
import { operatorOptions } from './src/database/data-source.js';
import { DataSource } from 'typeorm';

const { databaseUrl } = loadConfig();
if (databaseUrl === undefined) throw new Error('Set DATABASE_URL to use the TypeORM tooling.');

export default new DataSource(operatorOptions(databaseUrl));
