// The visitor's key. It lives in memory; in sessionStorage when the visitor asks for it, until the tab is closed; never in a
// URL, a cookie or localStorage.
import { fetchDemoKey } from './api/client.js';

const NAME = 'fleet-key';

export const isDemo = document.body.hasAttribute('data-demo');

/** A key that is there without asking: the one kept for this tab, or the demo's. */
export async function findKey(): Promise<string | undefined> {
  return storage()?.getItem(NAME) ?? (isDemo ? await fetchDemoKey() : undefined);
}

export function keepForThisTab(key: string): void {
  storage()?.setItem(NAME, key);
}

export function forgetKey(): void {
  storage()?.removeItem(NAME);
}

/** Some browsers are told to refuse it; the key then stays in memory. */
function storage(): Storage | undefined {
  try {
    return sessionStorage;
  } catch {
    return undefined;
  }
}
