// One recipient: what it is told, ways to test, change, pause and remove it, and what was sent to it.
import { useState } from 'preact/hooks';
import type { Recipient } from 'tank-monitoring-client';
import { orUndefined } from '../api/troubles.js';
import { useAttempt } from '../form/attempts.js';
import { FailureBanner } from '../form/failure.js';
import { Summary } from '../list/summary.js';
import { Back } from '../parts/back.js';
import { Confirm } from '../parts/confirm.js';
import { Fact } from '../parts/fact.js';
import { Table } from '../parts/table.js';
import { Instead, TroubleBanner } from '../parts/trouble.js';
import { TwoLines } from '../parts/two-lines.js';
import type { ViewProps } from '../parts/view-props.js';
import { Ago } from '../parts/when.js';
import type { Route } from '../route.js';
import { isDemo, mayWrite } from '../session.js';
import { NOT_IN_FEED, useFresh } from '../use-fresh.js';
import { RecipientForm } from './recipient-form.js';
import { words } from '../words/words.js';

interface Props extends ViewProps {
  readonly onDone: (notice: string, next: Route) => void;
}

const listOf = (route: Route): Route => ({ ...route, recipient: undefined, page: 1 });

export function RecipientView({ recipientId, ...props }: Props & { readonly recipientId: string }) {
  const { client, route } = props;
  const [isEdited, setIsEdited] = useState(false);
  const fresh = useFresh(
    ['recipient', recipientId],
    async (signal) => (await orUndefined(client.recipients.get(recipientId, { signal }))) ?? null,
    NOT_IN_FEED,
  );
  const { data: recipient } = fresh;
  return (
    <>
      <Back to={listOf(route)} behind="recipients" />
      <TroubleBanner of={[fresh]} />
      {recipient === null && (
        <Instead title={words.recipients.unknown}>
          <p>{words.ofThoseSeen}</p>
        </Instead>
      )}
      {recipient != null && (
        <>
          <Facts of={recipient} />
          {mayWrite && !isEdited && (
            <Actions
              {...props}
              recipient={recipient}
              onChanged={fresh.retry}
              onEdit={() => setIsEdited(true)}
            />
          )}
          {isEdited && (
            <RecipientForm
              client={client}
              recipient={recipient}
              isAboutOne
              onSaved={() => {
                setIsEdited(false);
                fresh.retry();
              }}
              onCancel={() => setIsEdited(false)}
            />
          )}
          <Notices client={client} recipientId={recipient.id} route={route} />
        </>
      )}
    </>
  );
}

function Facts({ of }: { readonly of: Recipient }) {
  const { fields, events, states, dailyAt, allTanks, languages } = words.recipients;
  return (
    <section class="panel" aria-labelledby="recipient">
      <h2 id="recipient" class="address">
        {of.email}
      </h2>
      <dl class="facts">
        <Fact name={words.settings.state}>
          {states[of.status]}
          {of.reason !== null && `: ${of.reason}`}
        </Fact>
        {of.name !== null && <Fact name={fields.name}>{of.name}</Fact>}
        <Fact name={words.recipients.columns.about}>
          {of.owner_id === null ? allTanks : words.settings.oneCustomer(of.owner_id)}
        </Fact>
        <Fact name={fields.events}>{of.events.map((type) => events[type]).join(', ') || '–'}</Fact>
        <Fact name={fields.daily_at}>{of.daily_at === null ? '–' : dailyAt(of.daily_at, of.time_zone)}</Fact>
        <Fact name={fields.language}>{languages[of.language]}</Fact>
      </dl>
    </section>
  );
}

interface ActionProps extends Props {
  readonly recipient: Recipient;
  readonly onChanged: () => void;
  readonly onEdit: () => void;
}

function Actions({
  client: { recipients },
  route,
  recipient: { id, status, paused },
  onChanged,
  onEdit,
  onDone,
}: ActionProps) {
  const { isBusy, trouble, attempt } = useAttempt();
  const [result, setResult] = useState('');
  const isConfirmed = status === 'active' || status === 'paused';
  /** `what` returns the sentence that is shown when it is done. */
  const act = (what: () => Promise<string>) =>
    void attempt(async () => {
      setResult('');
      setResult(await what());
      onChanged();
    });
  const test = async () => {
    const { sent, reply } = await recipients.test(id);
    return sent ? words.recipients.testSent : words.recipients.testFailed(reply);
  };
  const confirm = async () => {
    await recipients.sendConfirmation(id);
    return words.recipients.confirmationSent;
  };
  const pause = async () => {
    await recipients.patch(id, { paused: !paused });
    return paused ? words.recipients.resumed : words.recipients.nowPaused;
  };
  const remove = () =>
    attempt(async () => {
      await orUndefined(recipients.delete(id));
      onDone(words.recipients.deleted, listOf(route));
    });
  return (
    <>
      <FailureBanner trouble={trouble} />
      <div class="actions">
        <button type="button" class="main-action" onClick={() => act(isConfirmed ? test : confirm)}>
          {isBusy ? words.settings.working : isConfirmed ? words.settings.sendTest : words.recipients.confirm}
        </button>
        <button type="button" onClick={onEdit}>
          {words.edit}
        </button>
        <button type="button" onClick={() => act(pause)}>
          {paused ? words.recipients.resume : words.recipients.pause}
        </button>
        <Confirm
          label={words.settings.deleteEndpoint}
          title={words.recipients.deleteWhat}
          action={words.delete}
          onConfirm={() => void remove()}
        >
          {words.recipients.deleteNote}
        </Confirm>
        <p role="status">{result}</p>
      </div>
    </>
  );
}

const PAGE_SIZE = 50;
const { noticeColumns: columns } = words.recipients;
const COLUMNS = { [columns.mail]: '44%', [columns.state]: '38%', [columns.created]: '18%' };

function Notices({ client, recipientId, route }: ViewProps & { readonly recipientId: string }) {
  const asked = { page: route.page, size: PAGE_SIZE };
  const fresh = useFresh(
    ['notices', recipientId, route.page],
    (signal) => client.recipients.noticesPage(recipientId, asked, { signal }),
    NOT_IN_FEED,
  );
  const { data: list } = fresh;
  const said = list && words.newestFirst(words.recipients.noticeCount(list.total_items));
  return (
    <section class="results" aria-labelledby="notices">
      <h2 id="notices">{words.recipients.notices}</h2>
      <TroubleBanner of={[fresh]} />
      <Summary list={list} said={said} route={route} />
      <Table name="notices" caption={words.recipients.notices} columns={COLUMNS} items={list?.data}>
        {(one, now) => (
          <tr key={one.id}>
            <td>
              {isDemo && one.status === 'sent' ? (
                <a href={`fleet/demo-mails/${one.id}`}>{one.subject}</a>
              ) : (
                one.subject
              )}
              <span class="second">{words.recipients.kinds[one.kind]}</span>
            </td>
            <td>
              <TwoLines first={words.recipients.noticeStates[one.status]} second={one.reply} />
            </td>
            <td>
              <Ago at={one.created_at} now={now} />
            </td>
          </tr>
        )}
      </Table>
    </section>
  );
}
