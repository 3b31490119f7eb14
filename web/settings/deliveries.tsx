// What was delivered to a webhook endpoint, is pending, or failed.
import { useState } from 'preact/hooks';
import type { TankMonitoring, WebhookDelivery } from 'tank-monitoring-client';
import { Summary } from '../list/summary.js';
import { Choice } from '../parts/choice.js';
import { Table } from '../parts/table.js';
import { TroubleBanner } from '../parts/trouble.js';
import { Ago } from '../parts/when.js';
import type { Route } from '../route.js';
import { NOT_IN_FEED, useFresh } from '../use-fresh.js';
import { counted } from '../words.js';
import { DELIVERY_WORDS } from './words.js';

const PAGE_SIZE = 50;
type State = WebhookDelivery['state'];
const STATES = Object.keys(DELIVERY_WORDS) as State[];

interface Props {
  readonly client: TankMonitoring;
  readonly endpointId: string;
  readonly route: Route;
}

export function Deliveries({ client, endpointId, route }: Props) {
  const [state, setState] = useState<State>();
  const fresh = useFresh(
    JSON.stringify([state, route.page]),
    (signal) =>
      client.webhookEndpoints.deliveriesPage(
        endpointId,
        { state, page: route.page, size: PAGE_SIZE },
        { signal },
      ),
    NOT_IN_FEED,
  );
  const { data: list } = fresh;
  return (
    <section class="results" aria-labelledby="deliveries">
      <h2 id="deliveries">Deliveries</h2>
      <TroubleBanner of={[fresh]} />
      <div class="filters">
        <Choice
          label="State"
          none="Any state"
          choices={STATES}
          inWords={(one) => DELIVERY_WORDS[one]}
          chosen={state}
          onChoose={setState}
        />
      </div>
      <Summary
        list={list}
        said={list && `${counted(list.total_items, 'delivery', 'deliveries')}, newest first`}
        route={route}
      />
      <Table
        name="deliveries"
        caption="Deliveries"
        columns={{ Event: '35%', State: '30%', Attempts: '15%', Created: '20%' }}
        items={list?.data}
      >
        {(one, now) => (
          <tr key={one.id}>
            <td>
              <span class="first">{one.event_type}</span>
              <span class="second">{one.tank_id}</span>
            </td>
            <td>
              <span class="first">{DELIVERY_WORDS[one.state]}</span>
              <span class="second">{one.detail}</span>
            </td>
            <td>
              <span class="first">{one.attempts}</span>
              <span class="second">{one.last_status !== null && `Last answer ${one.last_status}`}</span>
            </td>
            <td>
              <Ago at={one.created_at} now={now} />
            </td>
          </tr>
        )}
      </Table>
    </section>
  );
}
