// Where the project lies. Only this file may ask: bundled, a module no longer lies where its source does, but all bundles
// lie as deep below the project as this file.
import { fileURLToPath } from 'node:url';

export function inProject(path: string): string {
  return fileURLToPath(new URL(`../${path}`, import.meta.url));
}
