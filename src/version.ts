// The version of the service, from its package.json.
import { readFileSync } from 'node:fs';
import { inProject } from './project.js';

const { version } = JSON.parse(readFileSync(inProject('package.json'), 'utf8')) as {
  version: string;
};

export const VERSION = version;
