// Debian's Chromium, or the one at CHROMIUM_PATH, asking nobody for anything by itself.
import { chromium, type Browser } from 'playwright-core';

/** On a slow machine everything takes longer: the limit of the test ends what never happens. */
export const PATIENCE_MS = 200_000;

export function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
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
