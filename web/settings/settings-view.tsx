// The settings: who is signed in and, for those who may, users, keys, recipients, webhook endpoints and who changed what.
import { CustomerName } from '../customers/customer-name.js';
import { usePage } from '../page.js';
import { Link } from '../parts/link.js';
import { NotAllowed } from '../parts/not-allowed.js';
import { Fact } from '../parts/text.js';
import { View } from '../parts/view.js';
import { SETTINGS, START } from '../route.js';
import { maySee } from '../session.js';
import { SourceForm } from '../sources/source-form.js';
import { SourceList } from '../sources/source-list.js';
import { ActivityList } from './activity-list.js';
import { EndpointList } from './endpoint-list.js';
import { EndpointView } from './endpoint-view.js';
import { KeyList } from './key-list.js';
import { RecipientView } from './recipient-view.js';
import { Recipients } from './recipients.js';
import { UserList } from './user-list.js';
import { words } from '../words/words.js';

export function SettingsView() {
  const { me, ownKey, route } = usePage();
  const { setting, endpoint, recipient, source, profile } = route;
  if (setting === 'webhooks' && endpoint !== undefined && maySee(me, 'webhooks')) {
    return <EndpointView key={endpoint} endpointId={endpoint} />;
  }
  if (setting === 'recipients' && recipient !== undefined && maySee(me, 'recipients')) {
    return <RecipientView key={recipient} recipientId={recipient} />;
  }
  if (setting === 'sources' && (source ?? profile) !== undefined) return <SourceForm />;
  return (
    <View
      class="settings"
      title={words.views.settings}
      tab={words.settings.parts[setting]}
      fresh={[ownKey]}
      isTimed={false}
    >
      <nav class="tabs" aria-label={words.views.settings}>
        {SETTINGS.filter((one) => one === 'key' || maySee(me, one)).map((one) => (
          <Link
            key={one}
            to={{ ...START, view: 'settings', setting: one }}
            aria-current={one === setting ? 'page' : undefined}
          >
            {words.settings.parts[one]}
          </Link>
        ))}
      </nav>
      <Part key={setting} />
    </View>
  );
}

function Part() {
  const { me, route } = usePage();
  const { setting } = route;
  if (setting === 'key') return <OwnKey />;
  if (!maySee(me, setting)) {
    return <NotAllowed scope={setting === 'sources' ? 'tanks:write' : setting} />;
  }
  if (setting === 'users') return <UserList />;
  if (setting === 'keys') return <KeyList />;
  if (setting === 'sources') return <SourceList />;
  if (setting === 'activity') return <ActivityList />;
  if (setting === 'webhooks') return <EndpointList />;
  return <Recipients />;
}

/** Who is signed in, and what they may do. */
function OwnKey() {
  const { me } = usePage();
  return (
    <section class="panel" aria-labelledby="own-key">
      <h2 id="own-key">{me.name}</h2>
      <dl class="facts">
        <Fact name={words.settings.signedInAs}>{me.email ?? words.settings.aKey}</Fact>
        <Fact name={words.settings.sees}>
          <CustomerName id={me.customer_id} />
        </Fact>
        <Fact name={words.fields.scopes}>
          <ul class="plain">
            {me.scopes.map((scope) => (
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
