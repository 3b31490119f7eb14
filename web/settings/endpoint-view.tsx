// One webhook endpoint: what it is, ways to test, change and remove it, and what was delivered to it.
import { useState } from 'preact/hooks';
import type { WebhookEndpoint } from 'tank-monitoring-client';
import { orUndefined } from '../api/troubles.js';
import { useAttempt } from '../form/attempts.js';
import { FailureBanner } from '../form/failure.js';
import { Back } from '../parts/back.js';
import { Confirm } from '../parts/confirm.js';
import { Fact } from '../parts/fact.js';
import { Instead, TroubleBanner } from '../parts/trouble.js';
import type { ViewProps } from '../parts/view-props.js';
import { Ago, useNow } from '../parts/when.js';
import type { Route } from '../route.js';
import { mayWrite } from '../session.js';
import { NOT_IN_FEED, useFresh } from '../use-fresh.js';
import { capitalised, counted } from '../words.js';
import { Deliveries } from './deliveries.js';
import { SecretOnce } from './secret-once.js';
import { testInWords, typesInWords } from './words.js';

interface Props extends ViewProps {
  readonly onDone: (notice: string, next: Route) => void;
}

export function EndpointView({ endpointId, ...props }: Props & { readonly endpointId: string }) {
  const { client, route } = props;
  const fresh = useFresh(
    'endpoint',
    async (signal) => (await orUndefined(client.webhookEndpoints.get(endpointId, { signal }))) ?? null,
    NOT_IN_FEED,
  );
  const { data: endpoint } = fresh;
  return (
    <>
      <Back to={listOf(route)} behind="endpoints" />
      <TroubleBanner of={[fresh]} />
      {endpoint === null && (
        <Instead title="No such endpoint">
          <p>It was deleted, or is not among those your key sees.</p>
        </Instead>
      )}
      {endpoint != null && (
        <>
          <Facts of={endpoint} />
          {mayWrite && <Actions {...props} endpoint={endpoint} onChanged={fresh.retry} />}
          <Deliveries client={client} endpointId={endpoint.id} route={route} />
        </>
      )}
    </>
  );
}

function Facts({ of }: { readonly of: WebhookEndpoint }) {
  const now = useNow(30_000);
  return (
    <section class="panel" aria-labelledby="endpoint">
      <h2 id="endpoint" class="address">
        {of.url}
      </h2>
      <dl class="facts">
        <Fact name="State">
          {capitalised(of.state)}
          {of.reason !== null && `: ${of.reason}`}
        </Fact>
        {of.failing_since !== null && (
          <Fact name="Failing since">
            <Ago at={of.failing_since} now={now} />
          </Fact>
        )}
        <Fact name="Events">{typesInWords(of.types)}</Fact>
        <Fact name="For">{of.customer_id === null ? 'All customers' : `Customer ${of.customer_id}`}</Fact>
        {of.description !== null && <Fact name="Description">{of.description}</Fact>}
        <Fact name="Added">
          <Ago at={of.created_at} now={now} />
        </Fact>
      </dl>
    </section>
  );
}

const listOf = (route: Route): Route => ({ ...route, endpoint: undefined, page: 1 });

interface ActionProps extends Props {
  readonly endpoint: WebhookEndpoint;
  readonly onChanged: () => void;
}

function Actions({ client, route, endpoint: { id, state }, onChanged, onDone }: ActionProps) {
  const endpoints = client.webhookEndpoints;
  const { isBusy, trouble, attempt } = useAttempt();
  const [result, setResult] = useState('');
  const [secret, setSecret] = useState<string>();
  const isDisabled = state === 'disabled';
  /** `what` returns the sentence that is shown when it is done. */
  const act = (what: () => Promise<string>) =>
    void attempt(async () => {
      setResult('');
      setResult(await what());
      onChanged();
    });
  const test = async () => testInWords(await endpoints.test(id));
  const roll = async () => {
    setSecret((await endpoints.rollSecret(id)).secret);
    return 'The endpoint has a new secret.';
  };
  const enable = async () => {
    await endpoints.patch(id, { enabled: isDisabled });
    return isDisabled ? 'The endpoint is enabled.' : 'The endpoint is disabled.';
  };
  const replay = async (since: string) =>
    `${counted((await endpoints.replay(id, since)).queued, 'event')} will be sent again.`;
  const remove = () =>
    attempt(async () => {
      await orUndefined(endpoints.delete(id));
      onDone('The endpoint was deleted.', listOf(route));
    });
  return (
    <>
      {secret !== undefined && <SecretOnce secret={secret} />}
      <FailureBanner trouble={trouble} />
      <div class="actions">
        <button type="button" class="main-action" onClick={() => act(test)}>
          {isBusy ? 'Working…' : 'Send a test'}
        </button>
        <button type="button" onClick={() => act(enable)}>
          {isDisabled ? 'Enable' : 'Disable'}
        </button>
        <Confirm label="New secret…" title="Make a new secret?" action="Make it" onConfirm={() => act(roll)}>
          What is sent from now on is signed with the new one.
        </Confirm>
        <Confirm
          label="Delete…"
          title="Delete this endpoint?"
          action="Delete"
          onConfirm={() => void remove()}
        >
          What is still pending is not delivered.
        </Confirm>
        <p role="status">{result}</p>
      </div>
      {!isDisabled && <Replay onReplay={(since) => act(() => replay(since))} />}
    </>
  );
}

/** By default the last day: what a receiver that was down overnight has missed. */
function Replay({ onReplay }: { readonly onReplay: (since: string) => void }) {
  const [since, setSince] = useState(() => localMinute(Date.now() - 86_400_000));
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (since !== '') onReplay(new Date(since).toISOString());
  };
  return (
    <form class="filters" onSubmit={submit}>
      <label>
        Events since
        <input
          type="datetime-local"
          value={since}
          required
          onInput={({ currentTarget }) => setSince(currentTarget.value)}
        />
      </label>
      <button type="submit">Send again</button>
    </form>
  );
}

function localMinute(instant: number): string {
  const offset = new Date(instant).getTimezoneOffset() * 60_000;
  return new Date(instant - offset).toISOString().slice(0, 16);
}
