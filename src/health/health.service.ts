// Readiness: not shutting down, the database answers, and every migration is in.
import { Injectable } from '@nestjs/common';
import { Reads, type Statement } from '../database/reads.js';
import { migrations } from '../database/migrations/index.js';
import { unavailable } from '../problems/problem.js';

const APPLIED_MIGRATIONS: Statement = { name: 'applied_migrations', text: 'select name from migrations' };

@Injectable()
export class HealthService {
  private shuttingDown = false;

  constructor(private readonly reads: Reads) {}

  announceShutdown(): void {
    this.shuttingDown = true;
  }

  async assertReady(): Promise<void> {
    if (this.shuttingDown)
      throw unavailable('shutting_down', 'This instance is shutting down; ask another one.');
    const missing = await this.missingMigrations();
    if (missing.length > 0) {
      throw unavailable('database_unavailable', 'The database lacks migrations.');
    }
  }

  async missingMigrations(): Promise<string[]> {
    const applied = new Set((await this.appliedMigrations()).map(({ name }) => name));
    return migrations.map(({ name }) => name).filter((name) => !applied.has(name));
  }

  private async appliedMigrations(): Promise<{ name: string }[]> {
    try {
      return await this.reads.rows<{ name: string }>(APPLIED_MIGRATIONS, []);
    } catch (error) {
      const noSuchTable = error instanceof Error && 'code' in error && error.code === '42P01';
      if (noSuchTable) return [];
      throw error;
    }
  }
}
