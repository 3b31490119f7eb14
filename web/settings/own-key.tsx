// Who is signed in, and what they may do.
import type { Me } from 'tank-monitoring-client';
import { Fact } from '../parts/fact.js';
import { words } from '../words/words.js';

export function OwnKey({ ownKey }: { readonly ownKey: Me }) {
  return (
    <section class="panel" aria-labelledby="own-key">
      <h2 id="own-key">{ownKey.name}</h2>
      <dl class="facts">
        <Fact name={words.settings.signedInAs}>{ownKey.email ?? words.settings.aKey}</Fact>
        <Fact name={words.settings.sees}>
          {ownKey.customer_id === null
            ? words.settings.allCustomers
            : words.settings.oneCustomer(ownKey.customer_id)}
        </Fact>
        <Fact name={words.settings.may}>
          <ul class="plain">
            {ownKey.scopes.map((scope) => (
              <li key={scope}>
                {words.settings.scopes[scope]} <code class="second">{scope}</code>
              </li>
            ))}
          </ul>
        </Fact>
      </dl>
    </section>
  );
}
