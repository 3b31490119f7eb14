// What a driver needs to reload the page in a dead spot: who is signed in, the run that was opened last, and the page's own files, which
// worker.js then shows. Kept in the browser until the session ends.
import type { Me, Run } from 'tank-monitoring-client';
import { keepIn, keptIn } from './keeping.js';

const NAME = `fleet ${location.pathname}`;
const FOLDER = new URL('.', import.meta.url);

interface Kept {
  readonly me: Me;
  readonly run: Run;
  readonly at: number;
}

export const kept = (): Kept | undefined => keptIn('localStorage', NAME) as Kept | undefined;

export const keep = (me: Me, run: Run): void => keepIn('localStorage', NAME, { me, run, at: Date.now() });

export const forgetKept = (): void => keepIn('localStorage', NAME, undefined);

/** What is loaded by now is enough to show a run. Browsers allow it over https only. */
export async function keepPage(): Promise<void> {
  if (!isSecureContext) return;
  try {
    const loaded = performance.getEntriesByType('resource').map(({ name }) => name);
    const files = [...loaded.filter(isFile), new URL('../fleet', FOLDER).href];
    const cache = await caches.open(NAME);
    await cache.addAll(files);
    for (const { url } of await cache.keys()) if (!files.includes(url)) await cache.delete(url);
    await navigator.serviceWorker.register(workerUrl(), { scope: '../fleet' });
  } catch {
    // in a dead spot already, or the browser is told not to: kept the next time
  }
}

const isFile = (address: string): boolean =>
  address.startsWith(FOLDER.href) && /\.(?:js|css|svg)$/.test(address);

/** The only script that is started by its address: the page's policy wants to know of each. */
function workerUrl(): string {
  const name = document.querySelector<HTMLMetaElement>('meta[name="worker"]')?.content ?? '';
  const { href } = new URL(`../${name}`, FOLDER);
  const policy = window.trustedTypes?.createPolicy('worker', { createScriptURL: () => href });
  return policy?.createScriptURL(href) ?? href;
}

declare global {
  interface Window {
    /** Not in every browser, and not among TypeScript's types; what it makes stands for a text. */
    readonly trustedTypes?: {
      createPolicy(
        name: string,
        rules: { createScriptURL: () => string },
      ): { createScriptURL(url: string): string };
    };
  }
}
