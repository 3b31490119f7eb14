// The settings: who is signed in and, for those who may, users, keys, recipients, webhook endpoints and who changed what.
import type { Me } from 'tank-monitoring-client';
import type { FormProps } from '../form/form-frame.js';
import { Back } from '../parts/back.js';
import { Link } from '../parts/link.js';
import { useTitle } from '../parts/title.js';
import { Instead, TroubleBanner } from '../parts/trouble.js';
import { SETTINGS, START } from '../route.js';
import { maySee } from '../session.js';
import { ActivityList } from './activity-list.js';
import { OwnKey } from './own-key.js';
import { EndpointList } from './endpoint-list.js';
import { EndpointView } from './endpoint-view.js';
import { KeyList } from './key-list.js';
import { UserList } from './user-list.js';
import { RecipientView } from './recipient-view.js';
import { Recipients } from './recipients.js';
import { SourceForm } from '../sources/source-form.js';
import { SourceList } from '../sources/source-list.js';
import { words } from '../words/words.js';

export function SettingsView(props: FormProps) {
  const { ownKey, route } = props;
  const { setting, endpoint, recipient, source, profile } = route;
  useTitle(words.settings.parts[setting]);
  if (setting === 'webhooks' && endpoint !== undefined && maySee(ownKey.data, 'webhooks')) {
    return <EndpointView key={endpoint} {...props} endpointId={endpoint} />;
  }
  if (setting === 'sources' && (source ?? profile) !== undefined) return <SourceForm {...props} />;
  return (
    <article class="settings">
      <Back to={START} behind="fleet" />
      <header class="view-head">
        <h1 tabIndex={-1}>{words.views.settings}</h1>
      </header>
      <nav class="tabs" aria-label={words.views.settings}>
        {SETTINGS.filter((one) => one === 'key' || maySee(ownKey.data, one)).map((one) => (
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
      {ownKey.data !== undefined && <Part {...props} key={`${setting} ${recipient}`} ownKey={ownKey.data} />}
    </article>
  );
}

function Part({ client, ownKey, route, onDone }: Omit<FormProps, 'ownKey'> & { readonly ownKey: Me }) {
  const { setting, recipient } = route;
  if (setting === 'key') return <OwnKey ownKey={ownKey} />;
  if (!maySee(ownKey, setting)) {
    return (
      <Instead title={words.form.notWithKey}>
        <p>{words.settings.needsScope(setting === 'sources' ? 'tanks:write' : setting)}</p>
      </Instead>
    );
  }
  if (setting === 'users') return <UserList client={client} me={ownKey} route={route} />;
  if (setting === 'keys') return <KeyList client={client} me={ownKey} route={route} />;
  if (setting === 'recipients')
    return recipient === undefined ? (
      <Recipients client={client} ownKey={ownKey} route={route} />
    ) : (
      <RecipientView client={client} recipientId={recipient} route={route} onDone={onDone} />
    );
  if (setting === 'sources') return <SourceList client={client} route={route} />;
  if (setting === 'activity') return <ActivityList client={client} route={route} />;
  return <EndpointList client={client} ownKey={ownKey} route={route} />;
}
