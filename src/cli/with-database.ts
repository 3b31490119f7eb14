// The database a command works on: DATABASE_URL, or the embedded one when it is unset (also while a service runs on it).
import { loadConfig } from '../config/config.js';
import { openDataSource, operatorOptions } from '../database/data-source.js';
import type { DataSource } from 'typeorm';

export async function withDatabase<T>(work: (dataSource: DataSource) => Promise<T>): Promise<T> {
  const { databaseUrl } = loadConfig();
  if (databaseUrl !== undefined) return withDataSource(databaseUrl, work);
  const { openDemoDatabase } = await import('../demo/demo-database.js');
  const embedded = await openDemoDatabase();
  try {
    return await withDataSource(embedded.url, work);
  } finally {
    await embedded.release();
  }
}

async function withDataSource<T>(url: string, work: (dataSource: DataSource) => Promise<T>): Promise<T> {
  const dataSource = await openDataSource(operatorOptions(url));
  try {
    return await work(dataSource);
  } finally {
    await dataSource.destroy();
  }
}
