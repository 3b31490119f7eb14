// A temporary folder that the ordinary user PostgreSQL runs as can get through.
import { chmod, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tank-faults-'));
  await chmod(folder, 0o711); // mkdtemp makes folders for one user only
  return folder;
}
