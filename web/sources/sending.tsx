// Where a sender sends to, by a source that is there. An address with a token in it is shown once.
import { useState } from 'preact/hooks';
import type { Source } from 'tank-monitoring-client';
import { FailureBanner, useAttempt } from '../form/attempts.js';
import { usePage } from '../page.js';
import { Button } from '../parts/button.js';
import { Link } from '../parts/link.js';
import { Fact } from '../parts/text.js';
import { NEW, type Route } from '../route.js';
import { mayRetryUplinks } from '../session.js';
import { SecretOnce } from '../settings/secret-once.js';
import { words } from '../words/words.js';

interface Props {
  readonly source: Source;
  readonly list: Route;
}

const absolute = (address: string) => new URL(address, location.href).href;

export function Sending({ source: { id }, list }: Props) {
  const { client, me } = usePage();
  const [url, setUrl] = useState<string>();
  const { trouble, attempt } = useAttempt();
  return (
    <section class="panel sensor" aria-labelledby="sending">
      <h2 id="sending">{words.sources.sending}</h2>
      <dl class="facts">
        <Fact name="HTTP">
          POST {absolute(`v1/uplinks/sources/${id}`)} {words.sources.withKey}
        </Fact>
        <Fact name="MQTT">{words.sources.byTopic(id)}</Fact>
      </dl>
      <FailureBanner trouble={trouble} />
      {url !== undefined && <SecretOnce secret={url} of={words.sources} />}
      {me.kind === 'user' && <p>{words.sources.keyNeeded}</p>}
      <div class="actions">
        {me.kind === 'key' && mayRetryUplinks(me) && (
          <Button
            onClick={() =>
              void attempt(async () => setUrl(absolute((await client.sources.makeToken(id)).url)))
            }
          >
            {words.sources.makeAddress}
          </Button>
        )}
        {me.customer_id === null && (
          <Link to={{ ...list, profile: NEW, source: id }} class="button">
            {words.sources.profileForIt}
          </Link>
        )}
      </div>
    </section>
  );
}
