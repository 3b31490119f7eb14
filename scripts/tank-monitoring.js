#!/usr/bin/env node
// `npx tank-monitoring` in a clone: the operator's command line, built first if its sources are newer.
await import('./build-if-needed.js');
await import('../dist/cli.js');
