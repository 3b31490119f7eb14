// What the signed-in key is, and what it may do.
import type { Key } from 'tank-monitoring-client';
import { Fact } from '../parts/fact.js';

const SCOPE_WORDS: Record<Key['scopes'][number], string> = {
  read: 'See customers, tanks and readings',
  'telemetry:write': 'Send readings and uplinks',
  'customers:write': 'Change customers',
  'tanks:write': 'Change tanks and sensors',
  'runs:write': 'Plan runs and enter deliveries',
  recipients: 'Manage who is told by mail',
  webhooks: 'Manage webhooks',
  activity: 'See who changed what',
  keys: 'Manage keys',
  users: 'Manage users',
};

export function OwnKey({ ownKey }: { readonly ownKey: Key }) {
  return (
    <section class="panel" aria-labelledby="own-key">
      <h2 id="own-key">{ownKey.name}</h2>
      <dl class="facts">
        <Fact name="Begins with">
          <code>{ownKey.prefix}</code>
        </Fact>
        <Fact name="Sees">
          {ownKey.customer_id === null ? 'All customers' : `Customer ${ownKey.customer_id}`}
        </Fact>
        <Fact name="May">
          <ul class="plain">
            {ownKey.scopes.map((scope) => (
              <li key={scope}>
                {SCOPE_WORDS[scope]} <code class="second">{scope}</code>
              </li>
            ))}
          </ul>
        </Fact>
      </dl>
      <p class="second">Keys are made, rolled and revoked with the command line of the service.</p>
    </section>
  );
}
