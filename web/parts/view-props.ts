// What every view is given: the service, and what the address asks for.
import type { TankMonitoring } from 'tank-monitoring-client';
import type { Route } from '../route.js';

export interface ViewProps {
  readonly client: TankMonitoring;
  readonly route: Route;
}
