// The view in which a tank is added or edited: opened as it is stored, for a key that may change it.
import type { ApiClient } from '../api/client.js';
import type { OwnKey } from '../api/types.js';
import { Icon } from '../parts/icons.js';
import { Link } from '../parts/link.js';
import { useTitle } from '../parts/title.js';
import { Instead, TroubleBanner } from '../parts/trouble.js';
import type { Route } from '../route.js';
import { mayChangeTanks } from '../session.js';
import { useFresh, type Fresh } from '../use-fresh.js';
import { open } from './opened.js';
import { TankEditor } from './tank-editor.js';

interface Props {
  readonly client: ApiClient;
  readonly ownKey: Fresh<OwnKey>;
  readonly route: Route;
  /** Says what was done and shows what is left. */
  readonly onDone: (notice: string, next: Route) => void;
}

export function TankForm({ client, ownKey, route, onDone }: Props) {
  const key = ownKey.data;
  const mayChange = mayChangeTanks(key);
  const opened = useFresh(
    mayChange ? 'open' : undefined,
    (signal) => open(client, route.tank, key?.customer_id ?? route.owner, signal),
    { once: true },
  );
  const name = opened.data?.tank?.object.name;
  const title = route.form === 'add' ? 'Add a tank' : `Edit ${name ?? 'a tank'}`;
  useTitle(title);
  return (
    <article>
      <div class="above">
        <Link to={{ ...route, form: undefined }} class="back">
          <Icon name="back" />
          Back to the {route.tank === undefined ? route.view : 'tank'}
        </Link>
      </div>
      <header class="view-head">
        <h1 tabIndex={-1}>{title}</h1>
      </header>
      <TroubleBanner of={[ownKey, opened]} />
      {key !== undefined && !mayChange && (
        <Instead title="Not with this key">
          <p>
            Tanks are changed by a key with the scope <code>tanks:write</code>, where the service takes
            changes.
          </p>
        </Instead>
      )}
      {opened.data === null && (
        <Instead title="No such tank">
          <p>There is no such tank among those your key sees, or it was deleted.</p>
        </Instead>
      )}
      {key !== undefined && opened.data != null && (
        <TankEditor client={client} ownKey={key} opened={opened.data} route={route} onDone={onDone} />
      )}
    </article>
  );
}
