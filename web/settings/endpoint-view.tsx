// One webhook endpoint: what it is, ways to test, change and remove it, and what was delivered to it.
import { useState } from 'preact/hooks';
import type { WebhookDelivery, WebhookEndpoint } from 'tank-monitoring-client';
import { orUndefined, reasonOf } from '../api/troubles.js';
import { Acts, useActs } from '../form/attempts.js';
import { Input, useTyped } from '../form/inputs.js';
import { CustomerName, TankName } from '../customers/customer-name.js';
import { usePage } from '../page.js';
import { Button } from '../parts/button.js';
import { Choice } from '../parts/choice.js';
import { Confirm } from '../parts/confirm.js';
import { Listing, pageOf } from '../parts/listing.js';
import { Fact } from '../parts/text.js';
import { Instead } from '../parts/trouble.js';
import { View } from '../parts/view.js';
import { Ago } from '../parts/when.js';
import type { Route } from '../route.js';
import { mayWrite } from '../session.js';
import { NOT_IN_FEED, useFresh } from '../use-fresh.js';
import { SecretOnce } from './secret-once.js';
import { testInWords, typesInWords } from './setting-words.js';
import { words } from '../words/words.js';

export function EndpointView({ endpointId }: { readonly endpointId: string }) {
  const { client, route } = usePage();
  const fresh = useFresh(
    ['endpoint', endpointId],
    async (signal) => (await orUndefined(client.webhookEndpoints.get(endpointId, { signal }))) ?? null,
    NOT_IN_FEED,
  );
  const { data: endpoint } = fresh;
  return (
    <View
      class="settings"
      title={endpoint?.url ?? words.settings.parts.webhooks}
      tab={words.settings.parts.webhooks}
      back={listOf(route)}
      behind="endpoints"
      fresh={[fresh]}
    >
      {endpoint === null && <Instead title={words.settings.noEndpoint} note={words.ofThoseSeen} />}
      {endpoint != null && (
        <>
          <Facts of={endpoint} />
          {mayWrite && <Actions endpoint={endpoint} onChanged={fresh.retry} />}
          <Deliveries endpointId={endpoint.id} />
        </>
      )}
    </View>
  );
}

function Facts({ of }: { readonly of: WebhookEndpoint }) {
  return (
    <section class="panel" aria-label={words.settings.endpoints}>
      <dl class="facts">
        <Fact name={words.state}>
          {words.settings.endpointStates[of.state]}
          {of.reason !== null && `: ${reasonOf(of.reason)}`}
        </Fact>
        {of.failing_since !== null && (
          <Fact name={words.settings.failingSince}>
            <Ago at={of.failing_since} />
          </Fact>
        )}
        <Fact name={words.fields.types}>{typesInWords(of.types)}</Fact>
        <Fact name={words.forWhom}>
          <CustomerName id={of.customer_id} />
        </Fact>
        {of.description !== null && <Fact name={words.fields.description}>{of.description}</Fact>}
        <Fact name={words.settings.added}>
          <Ago at={of.created_at} />
        </Fact>
      </dl>
    </section>
  );
}

const listOf = (route: Route): Route => ({ ...route, endpoint: undefined, page: 1 });

interface ActionProps {
  readonly endpoint: WebhookEndpoint;
  readonly onChanged: () => void;
}

function Actions({ endpoint: { id, state }, onChanged }: ActionProps) {
  const { client, route, onDone } = usePage();
  const endpoints = client.webhookEndpoints;
  const acts = useActs(onChanged);
  const [secret, setSecret] = useState<string>();
  const isDisabled = state === 'disabled';
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
  const remove = async () => {
    await orUndefined(endpoints.delete(id));
    onDone(words.settings.endpointDeleted, listOf(route));
    return undefined;
  };
  return (
    <>
      {secret !== undefined && <SecretOnce secret={secret} />}
      <Acts of={acts}>
        <Button class="main-action" onClick={() => acts.act(test)}>
          {acts.isBusy ? words.settings.working : words.settings.sendTest}
        </Button>
        <Button onClick={() => acts.act(enable)}>
          {isDisabled ? words.settings.enable : words.settings.disable}
        </Button>
        <Confirm
          label={words.settings.newSecret}
          title={words.settings.newSecretWhat}
          action={words.settings.newSecretDo}
          onConfirm={() => acts.act(roll)}
        >
          {words.settings.newSecretNote}
        </Confirm>
        <Confirm
          label={words.settings.deleteEndpoint}
          title={words.settings.deleteEndpointWhat}
          action={words.delete}
          onConfirm={() => acts.act(remove)}
        >
          {words.settings.deleteEndpointNote}
        </Confirm>
      </Acts>
      {!isDisabled && <Replay onReplay={(since) => acts.act(() => replay(since))} />}
    </>
  );
}

/** By default the last day: what a receiver that was down overnight has missed. */
function Replay({ onReplay }: { readonly onReplay: (since: string) => void }) {
  const [since, setSince] = useTyped(() => localMinute(Date.now() - 86_400_000));
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (since !== '') onReplay(new Date(since).toISOString());
  };
  return (
    <form class="filters" onSubmit={submit}>
      <label>
        {words.settings.eventsSince}
        <Input type="datetime-local" value={since} required onType={setSince} />
      </label>
      <button type="submit">{words.settings.sendAgain}</button>
    </form>
  );
}

function localMinute(instant: number): string {
  const offset = new Date(instant).getTimezoneOffset() * 60_000;
  return new Date(instant - offset).toISOString().slice(0, 16);
}

const STATES = ['pending', 'delivered', 'failed'] as const satisfies WebhookDelivery['state'][];
const { deliveryColumns: columns, deliveryStates, lastAnswer } = words.settings;

/** What was delivered to it, is pending, or failed. */
function Deliveries({ endpointId }: { readonly endpointId: string }) {
  const { client, route } = usePage();
  const [state, setState] = useState<WebhookDelivery['state']>();
  const asked = { state, ...pageOf(route) };
  const fresh = useFresh(
    ['deliveries', endpointId, asked],
    (signal) => client.webhookEndpoints.deliveriesPage(endpointId, asked, { signal }),
    NOT_IN_FEED,
  );
  const filter = (
    <div class="filters">
      <Choice
        label={words.state}
        none={words.settings.anyState}
        choices={STATES}
        inWords={(one) => deliveryStates[one]}
        chosen={state}
        onChoose={setState}
      />
    </div>
  );
  return (
    <Listing
      fresh={fresh}
      name="deliveries"
      title={words.settings.deliveries}
      isPart
      said={words.settings.deliveryCount}
      above={filter}
      row={({ id }) => ({ key: id })}
      columns={[
        [columns.event, '35%', (one) => [one.event_type, <TankName key={one.tank_id} id={one.tank_id} />]],
        [words.state, '30%', (one) => [deliveryStates[one.state], reasonOf(one.detail)]],
        [
          columns.attempts,
          '15%',
          ({ attempts, last_status: last }) => [attempts, last !== null && lastAnswer(last)],
        ],
        [columns.created, '20%', (one) => <Ago at={one.created_at} />],
      ]}
    />
  );
}
