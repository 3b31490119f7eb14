// What the shapes on the map mean.
import { STATE_NAMES, toneOf, type State } from '../parts/state.js';
import { Shape } from './marks.js';

const STATES = Object.entries(STATE_NAMES) as [State, string][];

export function Legend() {
  return (
    <ul class="legend" aria-label="What the shapes mean">
      {STATES.map(([state, name]) => (
        <li key={state}>
          <svg class={`mark mark-${toneOf(state)}`} viewBox="-11 -11 22 22" aria-hidden="true">
            <Shape state={state} />
          </svg>
          {name}
        </li>
      ))}
      <li>A number with a ring: several tanks and their states</li>
    </ul>
  );
}
