// What every part of the page may ask: the service, what is shown, who looks, and how to leave with a notice.
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Me, TankMonitoring } from 'tank-monitoring-client';
import type { Leave } from './notice.js';
import type { Route } from './route.js';
import type { Fresh } from './use-fresh.js';

interface Page {
  readonly client: TankMonitoring;
  readonly route: Route;
  /** Who is signed in, known from the start; `ownKey` is how that is kept up to date. */
  readonly me: Me;
  readonly ownKey: Fresh<Me>;
  readonly onDone: Leave;
}

const PageContext = createContext<Page | undefined>(undefined);

export const PageProvider = PageContext.Provider;

export function usePage(): Page {
  const page = useContext(PageContext);
  if (page === undefined) throw new Error('This is a part of the page.');
  return page;
}
