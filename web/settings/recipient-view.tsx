// One recipient: what it is told, ways to test, change, pause and remove it, and what was sent to it.
import { useQueryClient } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import type { Notice, Recipient } from 'tank-monitoring-client';
import { orUndefined, reasonOf } from '../api/troubles.js';
import { Acts, useActs } from '../form/attempts.js';
import { CustomerName } from '../customers/customer-name.js';
import { usePage } from '../page.js';
import { Button } from '../parts/button.js';
import { Confirm } from '../parts/confirm.js';
import { Listing, pageOf } from '../parts/listing.js';
import { Fact } from '../parts/text.js';
import { Instead } from '../parts/trouble.js';
import { View } from '../parts/view.js';
import { Ago } from '../parts/when.js';
import type { Route } from '../route.js';
import { isDemo, mayWrite } from '../session.js';
import { NOT_IN_FEED, useFresh } from '../use-fresh.js';
import { RecipientForm } from './recipient-form.js';
import { words } from '../words/words.js';

const listOf = (route: Route): Route => ({ ...route, recipient: undefined, page: 1 });

export function RecipientView({ recipientId }: { readonly recipientId: string }) {
  const { client, route } = usePage();
  const [isEdited, setIsEdited] = useState(false);
  const fresh = useFresh(
    ['recipient', recipientId],
    async (signal) => (await orUndefined(client.recipients.get(recipientId, { signal }))) ?? null,
    NOT_IN_FEED,
  );
  const { data: recipient } = fresh;
  const queries = useQueryClient();
  /** A test and a confirmation are among what was sent. */
  const onChanged = () => {
    fresh.retry();
    void queries.invalidateQueries({ queryKey: ['notices', recipientId] });
  };
  return (
    <View
      class="settings"
      title={recipient?.email ?? words.settings.parts.recipients}
      tab={words.settings.parts.recipients}
      back={listOf(route)}
      behind="recipients"
      fresh={[fresh]}
    >
      {recipient === null && <Instead title={words.recipients.unknown} note={words.ofThoseSeen} />}
      {recipient != null && (
        <>
          <Facts of={recipient} />
          {mayWrite && !isEdited && (
            <Actions recipient={recipient} onChanged={onChanged} onEdit={() => setIsEdited(true)} />
          )}
          {isEdited && (
            <RecipientForm
              recipient={recipient}
              isAboutOne
              onSaved={() => {
                setIsEdited(false);
                fresh.retry();
              }}
              onCancel={() => setIsEdited(false)}
            />
          )}
          <Notices recipientId={recipient.id} />
        </>
      )}
    </View>
  );
}

function Facts({ of }: { readonly of: Recipient }) {
  const { events, states, dailyAt, allTanks, languages } = words.recipients;
  const { fields } = words;
  return (
    <section class="panel" aria-label={words.recipients.title}>
      <dl class="facts">
        <Fact name={words.state}>
          {states[of.status]}
          {of.reason !== null && `: ${reasonOf(of.reason)}`}
        </Fact>
        {of.name !== null && <Fact name={fields.name}>{of.name}</Fact>}
        <Fact name={words.recipients.about}>
          <CustomerName id={of.owner_id} all={allTanks} />
        </Fact>
        <Fact name={fields.events}>{of.events.map((type) => events[type]).join(', ') || '–'}</Fact>
        <Fact name={fields.daily_at}>{of.daily_at === null ? '–' : dailyAt(of.daily_at, of.time_zone)}</Fact>
        <Fact name={fields.language}>{languages[of.language]}</Fact>
      </dl>
    </section>
  );
}

interface ActionProps {
  readonly recipient: Recipient;
  readonly onChanged: () => void;
  readonly onEdit: () => void;
}

function Actions({ recipient, onChanged, onEdit }: ActionProps) {
  const { client, route, onDone } = usePage();
  const { recipients } = client;
  const { id, status, paused } = recipient;
  const acts = useActs(onChanged);
  const isConfirmed = status === 'active' || status === 'paused';
  const test = async () => {
    const { sent, reply } = await recipients.test(id);
    return sent ? words.recipients.testSent : words.recipients.testFailed(reasonOf(reply));
  };
  const confirm = async () => {
    await recipients.sendConfirmation(id);
    return words.recipients.confirmationSent;
  };
  const pause = async () => {
    await recipients.patch(id, { paused: !paused });
    return paused ? words.recipients.resumed : words.recipients.nowPaused;
  };
  const remove = async () => {
    await orUndefined(recipients.delete(id));
    onDone(words.recipients.deleted, listOf(route));
    return undefined;
  };
  const main = isConfirmed ? words.settings.sendTest : words.recipients.confirm;
  return (
    <Acts of={acts}>
      <Button class="main-action" onClick={() => acts.act(isConfirmed ? test : confirm)}>
        {acts.isBusy ? words.settings.working : main}
      </Button>
      <Button onClick={onEdit}>{words.edit}</Button>
      <Button onClick={() => acts.act(pause)}>
        {paused ? words.recipients.resume : words.recipients.pause}
      </Button>
      <Confirm
        label={words.settings.deleteEndpoint}
        title={words.recipients.deleteWhat}
        action={words.delete}
        onConfirm={() => acts.act(remove)}
      >
        {words.recipients.deleteNote}
      </Confirm>
    </Acts>
  );
}

const { noticeColumns: columns, noticeStates, kinds } = words.recipients;

const subjectOf = ({ id, subject, status }: Notice) =>
  isDemo && status === 'sent' ? <a href={`fleet/demo-mails/${id}`}>{subject}</a> : subject;

function Notices({ recipientId }: { readonly recipientId: string }) {
  const { client, route } = usePage();
  const asked = pageOf(route);
  const fresh = useFresh(
    ['notices', recipientId, asked],
    (signal) => client.recipients.noticesPage(recipientId, asked, { signal }),
    NOT_IN_FEED,
  );
  return (
    <Listing
      fresh={fresh}
      name="notices"
      title={words.recipients.notices}
      isPart
      said={words.recipients.noticeCount}
      row={({ id }) => ({ key: id })}
      columns={[
        [columns.mail, '44%', (one) => [subjectOf(one), kinds[one.kind]]],
        [words.state, '38%', (one) => [noticeStates[one.status], reasonOf(one.reply)]],
        [columns.created, '18%', (one) => <Ago at={one.created_at} />],
      ]}
    />
  );
}
