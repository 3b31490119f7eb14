// What the signed-in key is, and what it may do.
import type { Key } from 'tank-monitoring-client';
import { Fact } from '../parts/fact.js';
import { words } from '../words/words.js';

export function OwnKey({ ownKey }: { readonly ownKey: Key }) {
  return (
    <section class="panel" aria-labelledby="own-key">
      <h2 id="own-key">{ownKey.name}</h2>
      <dl class="facts">
        <Fact name={words.settings.beginsWith}>
          <code>{ownKey.prefix}</code>
        </Fact>
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
      <p class="second">{words.settings.keysAreMade}</p>
    </section>
  );
}
