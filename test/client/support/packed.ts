// The client as it is published, in a folder outside the repository.
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const PROJECT = fileURLToPath(new URL('../../../', import.meta.url));

export interface Ran {
  readonly code: number;
  readonly said: string;
}

export class Packed {
  private constructor(readonly folder: string) {}

  static async unpack(): Promise<Packed> {
    const folder = await mkdtemp(join(tmpdir(), 'tank-client-'));
    const place = join(folder, 'node_modules/tank-monitoring-client');
    await mkdir(place, { recursive: true });
    await run('npm', ['pack', '--workspace', 'client', '--pack-destination', folder], { cwd: PROJECT });
    const archive = (await readdir(folder)).find((name) => name.endsWith('.tgz'));
    await run('tar', ['-xzf', join(folder, archive ?? ''), '-C', place, '--strip-components=1']);
    return new Packed(folder);
  }

  /** Where the package's files are. */
  get place(): string {
    return join(this.folder, 'node_modules/tank-monitoring-client');
  }

  async files(): Promise<string[]> {
    const entries = await readdir(this.place, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile());
    return files
      .map(({ parentPath, name }) => join(parentPath, name).slice(this.place.length + 1))
      .toSorted();
  }

  write(file: string, content: string): Promise<void> {
    return writeFile(join(this.folder, file), content);
  }

  /** A package of the repository, for types that a program needs. */
  async borrow(name: string): Promise<void> {
    const place = join(this.folder, 'node_modules', name);
    await mkdir(join(place, '..'), { recursive: true });
    await symlink(join(PROJECT, 'node_modules', name), place);
  }

  compile(filesAndOptions: readonly string[]): Promise<Ran> {
    return this.run(join(PROJECT, 'node_modules/typescript/bin/tsc'), ...filesAndOptions);
  }

  /** A program, by Node. */
  async run(program: string, ...parameters: string[]): Promise<Ran> {
    try {
      const { stdout, stderr } = await run(process.execPath, [program, ...parameters], { cwd: this.folder });
      return { code: 0, said: stdout + stderr };
    } catch (error) {
      const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
      return { code, said: stdout + stderr };
    }
  }

  remove(): Promise<void> {
    return rm(this.folder, { recursive: true, force: true });
  }
}
