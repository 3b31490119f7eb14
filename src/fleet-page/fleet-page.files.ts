// The fleet page as web/bundle.js made it, read once, when somebody first asks for it.
import { Injectable } from '@nestjs/common';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inProject } from '../project.js';

const DIRECTORY = inProject('dist/web');
const PAGE = 'index.html';

@Injectable()
export class FleetPageFiles {
  private read: Promise<ReadonlyMap<string, Buffer>> | undefined;

  async page(): Promise<string> {
    const page = (await this.all()).get(PAGE);
    if (page === undefined) throw new Error(`${join(DIRECTORY, PAGE)} is missing: run npm run build`);
    return page.toString();
  }

  /** One of the files the page refers to, whose names change with their content. */
  async hashed(name: string): Promise<Buffer | undefined> {
    return name === PAGE ? undefined : (await this.all()).get(name);
  }

  private all(): Promise<ReadonlyMap<string, Buffer>> {
    this.read ??= readAll().catch((error: unknown) => {
      this.read = undefined;
      throw error;
    });
    return this.read;
  }
}

async function readAll(): Promise<ReadonlyMap<string, Buffer>> {
  const names = await readdir(DIRECTORY);
  return new Map(
    await Promise.all(names.map(async (name) => [name, await readFile(join(DIRECTORY, name))] as const)),
  );
}
