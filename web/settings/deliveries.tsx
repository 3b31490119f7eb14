// What was delivered to a webhook endpoint, is pending, or failed.
import { useState } from 'preact/hooks';
import type { WebhookDelivery } from 'tank-monitoring-client';
import { Summary } from '../list/summary.js';
import { Choice } from '../parts/choice.js';
import { Table } from '../parts/table.js';
import { TroubleBanner } from '../parts/trouble.js';
import { TwoLines } from '../parts/two-lines.js';
import type { ViewProps } from '../parts/view-props.js';
import { Ago } from '../parts/when.js';
import { NOT_IN_FEED, useFresh } from '../use-fresh.js';
import { words } from '../words/words.js';

const PAGE_SIZE = 50;
const { deliveryColumns: columns } = words.settings;
const COLUMNS = {
  [columns.event]: '35%',
  [columns.state]: '30%',
  [columns.attempts]: '15%',
  [columns.created]: '20%',
};
const STATES = ['pending', 'delivered', 'failed'] as const satisfies WebhookDelivery['state'][];

export function Deliveries({ client, endpointId, route }: ViewProps & { readonly endpointId: string }) {
  const [state, setState] = useState<WebhookDelivery['state']>();
  const asked = { state, page: route.page, size: PAGE_SIZE };
  const fresh = useFresh(
    ['deliveries', endpointId, asked],
    (signal) => client.webhookEndpoints.deliveriesPage(endpointId, asked, { signal }),
    NOT_IN_FEED,
  );
  const { data: list } = fresh;
  const said = list && words.newestFirst(words.settings.deliveryCount(list.total_items));
  return (
    <section class="results" aria-labelledby="deliveries">
      <h2 id="deliveries">{words.settings.deliveries}</h2>
      <TroubleBanner of={[fresh]} />
      <div class="filters">
        <Choice
          label={words.settings.state}
          none={words.settings.anyState}
          choices={STATES}
          inWords={(one) => words.settings.deliveryStates[one]}
          chosen={state}
          onChoose={setState}
        />
      </div>
      <Summary list={list} said={said} route={route} />
      <Table name="deliveries" caption={words.settings.deliveries} columns={COLUMNS} items={list?.data}>
        {(one, now) => (
          <tr key={one.id}>
            <td>
              <TwoLines first={one.event_type} second={one.tank_id} />
            </td>
            <td>
              <TwoLines first={words.settings.deliveryStates[one.state]} second={one.detail} />
            </td>
            <td>
              <TwoLines
                first={one.attempts}
                second={one.last_status !== null && words.settings.lastAnswer(one.last_status)}
              />
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
