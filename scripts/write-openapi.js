// `npm run openapi`: writes openapi.json from the controllers, without a database.
import 'reflect-metadata';
import { VersioningType } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { writeFile } from 'node:fs/promises';
import { pino } from 'pino';
import { AppModule } from '../build/app.module.js';
import { buildDocument } from '../build/common/openapi/document.js';
import { loadConfig } from '../build/platform/config/config.js';

const logger = pino({ level: 'silent' });
const parts = { config: loadConfig({}), databaseUrl: 'postgres://nowhere/none', logger };
const app = await NestFactory.create(AppModule.of(parts), { preview: true, logger: false });
app.enableVersioning({ type: VersioningType.URI });
await writeFile('openapi.json', `${JSON.stringify(buildDocument(app), null, 2)}\n`);
