// The settings: the key that is signed in, and, for keys that may, webhook endpoints and who changed what.
import type { Key } from 'tank-monitoring-client';
import type { FormProps } from '../form/form-frame.js';
import { Back } from '../parts/back.js';
import { Link } from '../parts/link.js';
import { useTitle } from '../parts/title.js';
import { Instead, TroubleBanner } from '../parts/trouble.js';
import type { ViewProps } from '../parts/view-props.js';
import { SETTINGS, START } from '../route.js';
import { maySee } from '../session.js';
import { ActivityList } from './activity-list.js';
import { OwnKey } from './own-key.js';
import { EndpointList } from './endpoint-list.js';
import { EndpointView } from './endpoint-view.js';
import { words } from '../words/words.js';

export function SettingsView(props: FormProps) {
  const { client, ownKey, route } = props;
  const { setting, endpoint } = route;
  useTitle(words.settings.parts[setting]);
  if (setting === 'webhooks' && endpoint !== undefined && maySee(ownKey.data, 'webhooks')) {
    return <EndpointView key={endpoint} {...props} endpointId={endpoint} />;
  }
  return (
    <article class="settings">
      <Back to={START} behind="fleet" />
      <header class="view-head">
        <h1 tabIndex={-1}>{words.views.settings}</h1>
      </header>
      <nav class="tabs" aria-label={words.views.settings}>
        {SETTINGS.map((one) => (
          <Link
            key={one}
            to={{ ...START, view: 'settings', setting: one }}
            aria-current={one === setting ? 'page' : undefined}
          >
            {words.settings.parts[one]}
          </Link>
        ))}
      </nav>
      <TroubleBanner of={[ownKey]} />
      {ownKey.data !== undefined && <Part client={client} route={route} key={setting} ownKey={ownKey.data} />}
    </article>
  );
}

function Part({ client, ownKey, route }: ViewProps & { readonly ownKey: Key }) {
  const { setting } = route;
  if (setting === 'key') return <OwnKey ownKey={ownKey} />;
  if (!maySee(ownKey, setting)) {
    return (
      <Instead title={words.form.notWithKey}>
        <p>{words.settings.needsScope(setting)}</p>
      </Instead>
    );
  }
  if (setting === 'activity') return <ActivityList client={client} route={route} />;
  return <EndpointList client={client} ownKey={ownKey} route={route} />;
}
