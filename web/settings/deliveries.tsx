// What was delivered to a webhook endpoint, is pending, or failed.
import { useState } from 'preact/hooks';
import type { WebhookDelivery } from 'tank-monitoring-client';
import { usePage } from '../page.js';
import { Choice } from '../parts/choice.js';
import { Listing, pageOf } from '../parts/listing.js';
import { Ago } from '../parts/when.js';
import { NOT_IN_FEED, useFresh } from '../use-fresh.js';
import { words } from '../words/words.js';

const STATES = ['pending', 'delivered', 'failed'] as const satisfies WebhookDelivery['state'][];
const { deliveryColumns: columns, deliveryStates, lastAnswer } = words.settings;

export function Deliveries({ endpointId }: { readonly endpointId: string }) {
  const { client, route } = usePage();
  const [state, setState] = useState<WebhookDelivery['state']>();
  const asked = { state, ...pageOf(route) };
  const fresh = useFresh(
    ['deliveries', endpointId, asked],
    (signal) => client.webhookEndpoints.deliveriesPage(endpointId, asked, { signal }),
    NOT_IN_FEED,
  );
  const filter = (
    <div class="filters">
      <Choice
        label={words.state}
        none={words.settings.anyState}
        choices={STATES}
        inWords={(one) => deliveryStates[one]}
        chosen={state}
        onChoose={setState}
      />
    </div>
  );
  return (
    <Listing
      fresh={fresh}
      name="deliveries"
      title={words.settings.deliveries}
      isPart
      said={words.settings.deliveryCount}
      above={filter}
      row={({ id }) => ({ key: id })}
      columns={[
        [columns.event, '35%', (one) => [one.event_type, one.tank_id]],
        [words.state, '30%', (one) => [deliveryStates[one.state], one.detail]],
        [
          columns.attempts,
          '15%',
          ({ attempts, last_status: last }) => [attempts, last !== null && lastAnswer(last)],
        ],
        [columns.created, '20%', (one, now) => <Ago at={one.created_at} now={now} />],
      ]}
    />
  );
}
