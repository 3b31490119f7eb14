// How full a tank is, as a bar with a tick at its alert level. The figures beside it say the same in words, so the bar is
// only for the eye. A silent tank's bar is grey and hatched: an old figure never looks current.
import type { TankStatus } from 'tank-monitoring-client';
import { hasAlert } from '../outlook.js';
import { statesOf, toneOf } from './state.js';

export function LevelBar({ tank }: { readonly tank: TankStatus }) {
  const kind = tank.silent ? 'old' : toneOf(statesOf(tank)[0]);
  // Set on the element by script, which the page's policy allows; a style attribute in HTML it would not.
  return (
    <div class={`level level-${kind}`} aria-hidden="true">
      <div class="level-fill" style={{ width: `${tank.fill_percentage ?? 0}%` }} />
      {hasAlert(tank) && <div class="level-alert" style={{ left: `${tank.min_fill_alert_percentage}%` }} />}
    </div>
  );
}
