// Beside every view: sends what drivers have entered, and shows what the service refused until somebody has seen it.
import { useQueryClient } from '@tanstack/preact-query';
import { useEffect } from 'preact/hooks';
import type { Run } from 'tank-monitoring-client';
import { usePage } from '../page.js';
import { Button } from '../parts/button.js';
import { Icon } from '../parts/icons.js';
import { words } from '../words/words.js';
import { discard, keepSending, useEntries } from './entries.js';

export function RefusedEntries() {
  const { client } = usePage();
  const queries = useQueryClient();
  useEffect(
    () =>
      keepSending(client, (id, stop) => {
        const entered = ({ run }: { run: Run }) => ({
          run: { ...run, stops: run.stops.map((one) => (one.tank_id === stop.tank_id ? stop : one)) },
        });
        queries.setQueryData<{ run: Run }>(['run', id], (shown) => shown && entered(shown));
        void queries.invalidateQueries({ queryKey: ['run', id] });
      }),
    [client],
  );
  const refused = useEntries().filter(({ refusal }) => refusal !== undefined);
  return refused.map(({ id, name, refusal }) => (
    <div key={id} role="alert" class="trouble">
      <Icon name="warning" />
      <p>
        <strong>{words.runs.refused(name)}</strong> {refusal}
      </p>
      <Button onClick={() => discard(id)}>{words.runs.discard}</Button>
    </div>
  ));
}
