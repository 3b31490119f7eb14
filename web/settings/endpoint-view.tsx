// One webhook endpoint: what it is, ways to test, change and remove it, and what was delivered to it.
import { useState } from 'preact/hooks';
import type { WebhookEndpoint } from 'tank-monitoring-client';
import { orUndefined } from '../api/troubles.js';
import { useAttempt } from '../form/attempts.js';
import { FailureBanner } from '../form/failure.js';
import { AsOf } from '../parts/as-of.js';
import { Back } from '../parts/back.js';
import { Confirm } from '../parts/confirm.js';
import { Fact } from '../parts/fact.js';
import { Instead, TroubleBanner } from '../parts/trouble.js';
import type { ViewProps } from '../parts/view-props.js';
import { Ago, useNow } from '../parts/when.js';
import type { Route } from '../route.js';
import { mayWrite } from '../session.js';
import { NOT_IN_FEED, useFresh } from '../use-fresh.js';
import { Deliveries } from './deliveries.js';
import { SecretOnce } from './secret-once.js';
import { testInWords, typesInWords } from './setting-words.js';
import { words } from '../words/words.js';

interface Props extends ViewProps {
  readonly onDone: (notice: string, next: Route) => void;
}

export function EndpointView({ endpointId, ...props }: Props & { readonly endpointId: string }) {
  const { client, route } = props;
  const fresh = useFresh(
    ['endpoint', endpointId],
    async (signal) => (await orUndefined(client.webhookEndpoints.get(endpointId, { signal }))) ?? null,
    NOT_IN_FEED,
  );
  const { data: endpoint } = fresh;
  return (
    <article class="settings">
      <Back to={listOf(route)} behind="endpoints" />
      <header class="view-head">
        <h1 tabIndex={-1} class="address">
          {endpoint?.url ?? words.settings.parts.webhooks}
        </h1>
        <AsOf fresh={fresh} />
      </header>
      <TroubleBanner of={[fresh]} />
      {endpoint === null && (
        <Instead title={words.settings.noEndpoint}>
          <p>{words.ofThoseSeen}</p>
        </Instead>
      )}
      {endpoint != null && (
        <>
          <Facts of={endpoint} />
          {mayWrite && <Actions {...props} endpoint={endpoint} onChanged={fresh.retry} />}
          <Deliveries client={client} endpointId={endpoint.id} route={route} />
        </>
      )}
    </article>
  );
}

function Facts({ of }: { readonly of: WebhookEndpoint }) {
  const now = useNow(30_000);
  return (
    <section class="panel" aria-label={words.settings.endpoints}>
      <dl class="facts">
        <Fact name={words.settings.state}>
          {words.settings.endpointStates[of.state]}
          {of.reason !== null && `: ${of.reason}`}
        </Fact>
        {of.failing_since !== null && (
          <Fact name={words.settings.failingSince}>
            <Ago at={of.failing_since} now={now} />
          </Fact>
        )}
        <Fact name={words.settings.endpointFields.types}>{typesInWords(of.types)}</Fact>
        <Fact name={words.settings.endpointColumns.for}>
          {of.customer_id === null ? words.settings.allCustomers : words.settings.oneCustomer(of.customer_id)}
        </Fact>
        {of.description !== null && (
          <Fact name={words.settings.endpointFields.description}>{of.description}</Fact>
        )}
        <Fact name={words.settings.added}>
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
    return words.settings.newSecretMade;
  };
  const enable = async () => {
    await endpoints.patch(id, { enabled: isDisabled });
    return isDisabled ? words.settings.enabled : words.settings.disabled;
  };
  const replay = async (since: string) =>
    words.settings.willBeSent((await endpoints.replay(id, since)).queued);
  const remove = () =>
    attempt(async () => {
      await orUndefined(endpoints.delete(id));
      onDone(words.settings.endpointDeleted, listOf(route));
    });
  return (
    <>
      {secret !== undefined && <SecretOnce secret={secret} />}
      <FailureBanner trouble={trouble} />
      <div class="actions">
        <button type="button" class="main-action" onClick={() => act(test)}>
          {isBusy ? words.settings.working : words.settings.sendTest}
        </button>
        <button type="button" onClick={() => act(enable)}>
          {isDisabled ? words.settings.enable : words.settings.disable}
        </button>
        <Confirm
          label={words.settings.newSecret}
          title={words.settings.newSecretWhat}
          action={words.settings.newSecretDo}
          onConfirm={() => act(roll)}
        >
          {words.settings.newSecretNote}
        </Confirm>
        <Confirm
          label={words.settings.deleteEndpoint}
          title={words.settings.deleteEndpointWhat}
          action={words.delete}
          onConfirm={() => void remove()}
        >
          {words.settings.deleteEndpointNote}
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
        {words.settings.eventsSince}
        <input
          type="datetime-local"
          value={since}
          required
          onInput={({ currentTarget }) => setSince(currentTarget.value)}
        />
      </label>
      <button type="submit">{words.settings.sendAgain}</button>
    </form>
  );
}

function localMinute(instant: number): string {
  const offset = new Date(instant).getTimezoneOffset() * 60_000;
  return new Date(instant - offset).toISOString().slice(0, 16);
}
