// A tank's state at a glance: icon, word and colour, and how full it is, as a bar. A tank may be both low and silent. One that is nearly empty,
// or soon reaches its alert, is never OK, whatever its threshold.
import type { TankStatus } from 'tank-monitoring-client';
import { now } from '../api/clock.js';
import { DAY } from '../format.js';
import { hasAlert } from '../outlook.js';
import { Icon } from './icons.js';
import { words } from '../words/words.js';

export type State = keyof typeof words.states;
/** Worst first. */
export const STATES = Object.keys(words.states) as State[];

const NEARLY_EMPTY = 5;
const SOON = 3 * DAY;

export function statesOf(tank: TankStatus): [State, ...State[]] {
  const { reported, silent } = tank;
  if (!reported) return ['never'];
  const urgent = urgencyOf(tank);
  if (urgent !== undefined) return silent ? [urgent, 'silent'] : [urgent];
  return [silent ? 'silent' : 'ok'];
}

function urgencyOf(tank: TankStatus): 'empty' | 'low' | 'due' | undefined {
  const { fill_percentage: level, low, forecast } = tank;
  if (level !== null && level <= NEARLY_EMPTY) return 'empty';
  if (low) return 'low';
  const likely = Date.parse(forecast?.alert?.p50 ?? '');
  return likely - now() <= SOON ? 'due' : undefined;
}

/** How it looks: what needs a delivery is all of one colour. */
export function toneOf(state: State): 'low' | 'silent' | 'never' | 'ok' {
  return state === 'empty' || state === 'due' ? 'low' : state;
}

export function States({ tank, of = statesOf(tank) }: { readonly tank: TankStatus; readonly of?: State[] }) {
  return (
    <span class="states">
      {of.map((state) => (
        <span key={state} class={`state state-${toneOf(state)}`}>
          <Icon name={state} />
          {words.states[state]}
        </span>
      ))}
    </span>
  );
}

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
