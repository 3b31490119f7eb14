// A tank's state at a glance: icon, word and colour. A tank may be both low and silent.
import type { TankStatus } from 'tank-monitoring-client';
import { Icon } from './icons.js';

export const STATE_NAMES = {
  low: 'Low',
  silent: 'Silent',
  never: 'Never reported',
  ok: 'OK',
} as const;
export type State = keyof typeof STATE_NAMES;

/** Worst first. */
export function statesOf({ reported, low, silent }: TankStatus): [State, ...State[]] {
  if (!reported) return ['never'];
  if (low) return silent ? ['low', 'silent'] : ['low'];
  return [silent ? 'silent' : 'ok'];
}

export function States({ tank }: { readonly tank: TankStatus }) {
  return (
    <span class="states">
      {statesOf(tank).map((state) => (
        <span key={state} class={`state state-${state}`}>
          <Icon name={state} />
          {STATE_NAMES[state]}
        </span>
      ))}
    </span>
  );
}
