// The sensor of a tank: what it is, and what its newest uplink said.
import type { ProfiledSensor } from '../api/sensors.js';
import { percent } from '../format.js';
import { usePage } from '../page.js';
import { Icon } from '../parts/icons.js';
import { Link } from '../parts/link.js';
import { Fact } from '../parts/text.js';
import { Ago } from '../parts/when.js';
import { mayChangeTanks } from '../session.js';
import { calibrationInWords, celsius, measured, signalFigures, signalWord } from './sensor-words.js';
import { words } from '../words/words.js';

/** As the API's `low_battery` has it. */
const LOW_BATTERY = 20;

/** `found` is undefined where it has none. */
export function SensorPanel({ found }: { readonly found: ProfiledSensor | undefined }) {
  const { me, route } = usePage();
  const mayChange = mayChangeTanks(me);
  if (found === undefined && !mayChange) return null;
  return (
    <section class="panel sensor" aria-labelledby="sensor">
      <div class="panel-head">
        <h2 id="sensor">{words.sensor.one}</h2>
        {mayChange && (
          <Link to={{ ...route, form: 'sensor' }}>
            {found === undefined ? words.sensor.add : words.sensor.change}
          </Link>
        )}
      </div>
      {found !== undefined && (
        <dl class="facts">
          <Fact name={words.fields.profile_id}>{found.profile.name}</Fact>
          <Last {...found} />
          <Fact name={words.fields.calibration}>{calibrationInWords(found.sensor.calibration)}</Fact>
        </dl>
      )}
    </section>
  );
}

function Last({ sensor: { last_uplink: last }, profile }: ProfiledSensor) {
  if (last === null) return <Fact name={words.sensor.lastUplink}>{words.sensor.noneYet}</Fact>;
  const { battery_percent: battery, temperature_celsius: temperature, level, fill_percentage: fill } = last;
  return (
    <>
      <Fact name={words.sensor.battery}>
        {battery === null ? '–' : percent(battery)}{' '}
        {battery !== null && battery < LOW_BATTERY && (
          <span class="state state-low">
            <Icon name="low" />
            {words.sensorNeeds.low_battery}
          </span>
        )}
      </Fact>
      <Fact name={words.sensor.signal}>
        {signalWord(last) ?? '–'} <span class="second">{signalFigures(last)}</span>
      </Fact>
      <Fact name={words.sensor.temperature}>{temperature === null ? '–' : celsius(temperature)}</Fact>
      <Fact name={words.sensor.measured}>
        {level === null ? '–' : measured(level, profile.level.unit)}{' '}
        <span class="second">
          {fill === null ? words.sensor.noReading : words.sensor.isFull(percent(fill))}
        </span>
      </Fact>
      <Fact name={words.sensor.lastUplink}>
        <Ago at={last.received_at} />
      </Fact>
    </>
  );
}
