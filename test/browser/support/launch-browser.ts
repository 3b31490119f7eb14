// Debian's Chromium, or the one at CHROMIUM_PATH, asking nobody for anything by itself; without its windows where that is installed, which takes
// half of the time.
import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';

/** On a slow machine everything takes longer: the limit of the test ends what never happens. */
export const PATIENCE_MS = 150_000;

const CHROMIUM = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find((path) => existsSync(path));

export function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env['CHROMIUM_PATH'] ?? CHROMIUM ?? 'chromium',
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}
