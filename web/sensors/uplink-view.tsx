// One uplink that waits: why, what to do about it, the message as it was sent, and the ways to try it again or discard it.
import type { QuarantineReason } from 'tank-monitoring-client';
import { findUplink, retryUplinks, type UplinkDetail } from '../api/sensors.js';
import { orUndefined } from '../api/troubles.js';
import { Acts, useActs } from '../form/attempts.js';
import { placeOf } from '../format.js';
import { usePage } from '../page.js';
import { Button } from '../parts/button.js';
import { Confirm } from '../parts/confirm.js';
import { Link } from '../parts/link.js';
import { Fact } from '../parts/text.js';
import { Instead } from '../parts/trouble.js';
import { View } from '../parts/view.js';
import { Ago } from '../parts/when.js';
import { NEW, START, type Route } from '../route.js';
import { mayChangeTanks, mayRetryUplinks } from '../session.js';
import { NOT_IN_FEED, useFresh } from '../use-fresh.js';
import { AssignDevice } from './assign-device.js';
import { calibrationInWords, retriedInWords, senderInWords } from './sensor-words.js';
import { words } from '../words/words.js';

/** Of a message; a sender may have made it huge. */
const SHOWN_CHARACTERS = 20_000;

export function UplinkView({ uplinkId }: { readonly uplinkId: string }) {
  const { client, me, route } = usePage();
  const fresh = useFresh(['uplink', uplinkId], (signal) => findUplink(client, uplinkId, signal), NOT_IN_FEED);
  const { data: found, trouble } = fresh;
  const title = found?.uplink.device_id ?? words.uplink.one;
  return (
    <View
      title={found === undefined && trouble === undefined ? words.loading : title}
      tab={title}
      back={{ ...route, uplink: undefined }}
      behind="uplinks"
      fresh={[fresh]}
    >
      {found === null && <Instead title={words.uplink.gone} note={words.uplink.goneWhy} />}
      {found != null && (
        <div class="uplink">
          <Why found={found} />
          <TankOf found={found} onChanged={fresh.retry} />
          {mayRetryUplinks(me) && <Actions found={found} onChanged={fresh.retry} />}
          <section class="panel" aria-labelledby="message">
            <h2 id="message">{words.uplink.message}</h2>
            <pre>{shownPayload(found.uplink.payload)}</pre>
            {mayChangeTanks(me) && <MakeFrom found={found} />}
          </section>
          <Others found={found} />
        </div>
      )}
    </View>
  );
}

/** Nothing, once what it was when it came has been put right. */
function reasonNow({ uplink: { reason }, tanks, sensor }: UplinkDetail): QuarantineReason | undefined {
  const isOfDevice = reason === 'unknown_device' || reason === 'ambiguous_device';
  if (isOfDevice && tanks.length === 1) return sensor === undefined ? 'no_sensor' : undefined;
  if (reason === 'no_sensor' && sensor !== undefined) return undefined;
  return reason === 'no_calibration' && sensor?.sensor.calibration != null ? undefined : reason;
}

function Why({ found }: { readonly found: UplinkDetail }) {
  const { uplink } = found;
  const reason = reasonNow(found);
  const { why, what } = reason === undefined ? PUT_RIGHT : words.uplink.reasons[reason];
  return (
    <section class="panel sensor" aria-labelledby="why">
      <h2 id="why">{words.uplink.why}</h2>
      <p class="first">{why}.</p>
      <p>{what}</p>
      <dl class="facts">
        <Fact name={words.uplink.received}>
          <Ago at={uplink.created_at} />
        </Fact>
        <Fact name={words.uplink.sentBy}>{senderInWords(uplink.source)}</Fact>
        {uplink.detail !== null && <Fact name={words.uplink.found}>{uplink.detail}</Fact>}
      </dl>
    </section>
  );
}

/** What helps next is the one blue button. */
function stepOf(found: UplinkDetail): 'tank' | 'sensor' | 'retry' {
  const reason = reasonNow(found);
  if (reason === 'unknown_device' || reason === 'ambiguous_device') return 'tank';
  const isForRetry = reason === undefined || ['in_the_future', 'rejected', 'malformed'].includes(reason);
  return isForRetry ? 'retry' : 'sensor';
}

const PUT_RIGHT = { why: words.uplink.putRight, what: words.uplink.putRightWhat };

function Others({ found: { others } }: { readonly found: UplinkDetail }) {
  const { route } = usePage();
  if (others.length === 0) return null;
  return (
    <section class="panel" aria-labelledby="others">
      <h2 id="others">{words.uplink.others}</h2>
      <ul class="plain">
        {others.map(({ id, created_at, reason }) => (
          <li key={id}>
            <Link to={{ ...route, uplink: id }}>
              <Ago at={created_at} />
            </Link>{' '}
            {words.uplink.reasons[reason].why}
          </li>
        ))}
      </ul>
    </section>
  );
}

interface PartProps {
  readonly found: UplinkDetail;
  readonly onChanged: () => void;
}

function TankOf({ found, onChanged }: PartProps) {
  const { me, route } = usePage();
  const { uplink, tanks, sensor } = found;
  const mayChange = mayChangeTanks(me);
  return (
    <section class="panel sensor" aria-labelledby="tank-of">
      <h2 id="tank-of" tabIndex={-1}>
        {words.tank.one}
      </h2>
      {tanks.length === 0 && <p>{words.uplink.noTank(uplink.device_id)}</p>}
      {tanks.map(({ tank_id: id, name, owner_name, location }) => (
        <p key={id}>
          <Link to={{ ...route, tank: id }}>{name}</Link>{' '}
          <span class="second">
            {[owner_name ?? words.ownerDeleted, placeOf(location)].filter(Boolean).join(', ')}
          </span>{' '}
          {tanks.length > 1 && mayChange && (
            <Link to={{ ...route, tank: id, form: 'device' }}>
              {words.tank.swap}
              <span class="for-ears">{words.uplink.swapOf(name)}</span>
            </Link>
          )}
        </p>
      ))}
      {tanks.length === 1 && (
        <>
          <dl class="facts">
            <Fact name={words.sensor.one}>{sensor?.profile.name ?? words.none}</Fact>
            {sensor !== undefined && (
              <Fact name={words.fields.calibration}>{calibrationInWords(sensor.sensor.calibration)}</Fact>
            )}
          </dl>
          {mayChange && (
            <p>
              <Link
                to={{ ...route, tank: tanks[0]?.tank_id, form: 'sensor' }}
                class={stepOf(found) === 'sensor' ? 'button main-action' : 'button'}
              >
                {sensor === undefined ? words.sensor.add : words.sensor.change}
              </Link>
            </p>
          )}
        </>
      )}
      {tanks.length === 0 && mayChange && (
        <>
          <AssignDevice deviceId={uplink.device_id} onAssigned={onChanged} />
          <p>
            <Link to={{ ...route, form: 'add', device: uplink.device_id }} class="button">
              {words.uplink.addWithDevice}
            </Link>
          </p>
        </>
      )}
    </section>
  );
}

/** Who cannot find their way in a message yet gets there by looking at it. */
function MakeFrom({ found: { uplink } }: { readonly found: UplinkDetail }) {
  const { id, source, reason } = uplink;
  const to: Route = { ...START, view: 'settings', setting: 'sources', from: id };
  const isOfSender = source in words.uplink.sources;
  return (
    <div class="actions">
      {reason === 'malformed' && (
        <Link to={{ ...to, source: isOfSender ? NEW : source }} class="button">
          {isOfSender ? words.uplink.makeSource : words.uplink.correctSource}
        </Link>
      )}
      <Link to={{ ...to, profile: NEW, source }} class="button">
        {words.uplink.makeProfile}
      </Link>
    </div>
  );
}

/** All uplinks of the device are tried again: what helped one helps the others. */
function Actions({ found, onChanged }: PartProps) {
  const { client, route, onDone } = usePage();
  const { uplink } = found;
  const acts = useActs(onChanged);
  const leave = (notice: string) => {
    onDone(notice, { ...route, uplink: undefined });
    return undefined;
  };
  const retry = async () => {
    const retried = await retryUplinks(client, uplink.device_id);
    const result = retriedInWords(retried);
    const isWaiting =
      retried.quarantined > 0 && (await orUndefined(client.uplinks.get(uplink.id))) !== undefined;
    return isWaiting ? result : leave(result);
  };
  const discard = async () => {
    await orUndefined(client.uplinks.discard(uplink.id)); // one that is gone already is no matter
    return leave(words.uplink.discarded);
  };
  return (
    <Acts of={acts}>
      <Button class={stepOf(found) === 'retry' ? 'main-action' : undefined} onClick={() => acts.act(retry)}>
        {acts.isBusy ? words.uplink.trying : words.uplink.tryAgain}
      </Button>
      <Confirm
        label={words.uplink.discard}
        title={words.uplink.discardWhat}
        action={words.uplink.discardIt}
        onConfirm={() => acts.act(discard)}
      >
        {words.uplink.discardNote}
      </Confirm>
    </Acts>
  );
}

function shownPayload(payload: unknown): string {
  try {
    const text = JSON.stringify(payload, null, 2);
    return text.length <= SHOWN_CHARACTERS ? text : `${text.slice(0, SHOWN_CHARACTERS)}\n…`;
  } catch {
    return words.uplink.tooDeep;
  }
}
