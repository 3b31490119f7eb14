// Whom to call, where the tank is, and what it is.
import type { Customer, DeletedCustomer, TankStatusWithConsumption } from 'tank-monitoring-client';
import { addressLines, lasting, percent, volume } from '../format.js';
import { hasAlert } from '../outlook.js';
import { usePage } from '../page.js';
import { Link } from '../parts/link.js';
import { Email, Fact, Phone } from '../parts/text.js';
import { START } from '../route.js';
import { mayChangeTanks } from '../session.js';
import { words } from '../words/words.js';

interface Props {
  readonly tank: TankStatusWithConsumption;
  readonly owner: Customer | DeletedCustomer;
}

export function Facts({ tank, owner }: Props) {
  const { me, route } = usePage();
  return (
    <>
      <section class="panel" aria-labelledby="owner">
        <h2 id="owner">{words.fields.owner_id}</h2>
        <Owner tank={tank} owner={owner} />
      </section>
      <section class="panel" aria-labelledby="place">
        <h2 id="place">{words.tank.place}</h2>
        <Place tank={tank} />
      </section>
      <section class="panel" aria-labelledby="equipment">
        <h2 id="equipment">{words.tank.equipment}</h2>
        <dl class="facts pairs">
          <Fact name={words.tank.device}>
            {tank.assigned_device_id || '–'}{' '}
            {mayChangeTanks(me) && (
              <Link to={{ ...route, form: 'device' }}>
                {words.tank.swap}
                <span class="for-ears">{words.tank.swapWhat}</span>
              </Link>
            )}
          </Fact>
          <Fact name={words.fields.custom_id}>{tank.custom_id ?? '–'}</Fact>
          <Fact name={words.fields.capacity}>{volume(tank.capacity, tank.capacity_unit)}</Fact>
          <Fact name={words.tank.alertLevel}>
            {hasAlert(tank) ? percent(tank.min_fill_alert_percentage) : words.noAlert}
          </Fact>
          <Fact name={words.fields.use_case}>
            {tank.use_case === null ? '–' : words.useCases[tank.use_case]}
          </Fact>
          <Fact name={words.tank.silentAfter}>
            {words.tank.withoutReading(lasting(tank.silent_after_seconds * 1_000))}
          </Fact>
        </dl>
      </section>
    </>
  );
}

function Owner({ tank, owner }: Props) {
  const { route } = usePage();
  if ('deleted' in owner) return <p>{words.tank.ownerGone}</p>;
  return (
    <>
      <p class="first">
        <Link to={{ ...START, view: 'customers', customer: owner.id }}>{owner.name}</Link>
      </p>
      <dl class="facts">
        <Fact name={words.fields.phone}>{owner.phone == null ? '–' : <Phone number={owner.phone} />}</Fact>
        <Fact name={words.fields.email}>
          <Email address={owner.email ?? ''} />
        </Fact>
      </dl>
      <p>
        <Link to={{ ...START, view: route.view === 'map' ? 'map' : 'list', owner: tank.owner_id }}>
          {words.tank.allOfOwner}
        </Link>
      </p>
    </>
  );
}

/** Phones open their own maps with it; a desk has none, so it is asked for on the web. */
function directionsTo(latitude: number, longitude: number): string {
  const isPhone = matchMedia('(pointer: coarse)').matches;
  return isPhone
    ? `geo:${latitude},${longitude}?q=${latitude},${longitude}`
    : `https://www.openstreetmap.org/directions?to=${latitude}%2C${longitude}`;
}

function Place({ tank: { location, owner_id } }: Pick<Props, 'tank'>) {
  const lines = addressLines(location);
  const { latitude, longitude } = location;
  return (
    <>
      <address>
        {lines.map((line) => (
          <span key={line}>{line}</span>
        ))}
        {lines.length === 0 && words.noAddress}
      </address>
      <p class="second">
        {latitude === null || longitude === null ? (
          words.tank.noPosition
        ) : (
          <>
            {latitude}, {longitude}{' '}
            <a href={directionsTo(latitude, longitude)} target="_blank" rel="noreferrer">
              {words.tank.directions}
            </a>
          </>
        )}
      </p>
      {latitude !== null && (
        <p>
          <Link to={{ ...START, view: 'map', owner: owner_id }}>{words.tank.onMap}</Link>
        </p>
      )}
    </>
  );
}
