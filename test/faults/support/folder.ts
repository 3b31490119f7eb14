// A temporary folder that the ordinary user PostgreSQL runs as can get through; gone at the end.
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stage } from './stage.js';

export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tank-faults-'));
  await chmod(folder, 0o711); // mkdtemp makes folders for one user only
  stage.add({ stop: () => rm(folder, { recursive: true, force: true }) });
  return folder;
}
