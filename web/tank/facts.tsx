// Whom to call, where the tank is, and what it is.
import type { Customer, DeletedCustomer, TankStatusWithConsumption } from 'tank-monitoring-client';
import { hasAlert } from '../outlook.js';
import { Email, Phone } from '../parts/contact.js';
import { Fact } from '../parts/fact.js';
import { Link } from '../parts/link.js';
import { START, type Route } from '../route.js';
import { addressLines, lasting, percent, volume } from '../words.js';

interface Props {
  readonly tank: TankStatusWithConsumption;
  readonly owner: Customer | DeletedCustomer;
  readonly route: Route;
  readonly mayChange: boolean;
}

export function Facts({ tank, owner, route, mayChange }: Props) {
  return (
    <>
      <section class="panel" aria-labelledby="owner">
        <h2 id="owner">Owner</h2>
        <Owner tank={tank} owner={owner} route={route} />
      </section>
      <section class="panel" aria-labelledby="place">
        <h2 id="place">Place</h2>
        <Place tank={tank} />
      </section>
      <section class="panel" aria-labelledby="equipment">
        <h2 id="equipment">Tank and device</h2>
        <dl class="facts">
          <Fact name="Device">
            {tank.assigned_device_id || '–'}{' '}
            {mayChange && (
              <Link to={{ ...route, form: 'device' }}>
                Swap
                <span class="for-ears"> the device</span>
              </Link>
            )}
          </Fact>
          <Fact name="Own id">{tank.custom_id ?? '–'}</Fact>
          <Fact name="Capacity">{volume(tank.capacity, tank.capacity_unit)}</Fact>
          <Fact name="Alert level">
            {hasAlert(tank) ? percent(tank.min_fill_alert_percentage) : 'No alert'}
          </Fact>
          <Fact name="Use case">{tank.use_case ?? '–'}</Fact>
          <Fact name="Silent after">{lasting(tank.silent_after_seconds * 1_000)} without a reading</Fact>
        </dl>
      </section>
    </>
  );
}

function Owner({ tank, owner, route }: Omit<Props, 'mayChange'>) {
  if ('deleted' in owner) return <p>The owner’s account was deleted.</p>;
  return (
    <>
      <p class="first">
        <Link to={{ ...START, view: 'customers', customer: owner.id }}>{owner.name}</Link>
      </p>
      <dl class="facts">
        <Fact name="Phone">{owner.phone == null ? '–' : <Phone number={owner.phone} />}</Fact>
        <Fact name="Email">
          <Email address={owner.email ?? ''} />
        </Fact>
      </dl>
      <p>
        <Link to={{ ...START, view: route.view === 'map' ? 'map' : 'list', owner: tank.owner_id }}>
          All tanks of this owner
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
        {lines.length === 0 && 'No address'}
      </address>
      <p class="second">
        {latitude === null || longitude === null ? (
          'No position'
        ) : (
          <>
            {latitude}, {longitude}{' '}
            <a href={directionsTo(latitude, longitude)} target="_blank" rel="noreferrer">
              Directions
            </a>
          </>
        )}
      </p>
      {latitude !== null && (
        <p>
          <Link to={{ ...START, view: 'map', owner: owner_id }}>The owner’s tanks on the map</Link>
        </p>
      )}
    </>
  );
}
