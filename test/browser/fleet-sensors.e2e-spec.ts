// Sensors on the fleet page: what they say of themselves, setting them, and uplinks that wait until somebody puts right what they
// wait for.
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { clear, insertCustomer } from '../support/builders.js';
import { CALIBRATION, chirpStack, device, EUI, send, setSensor } from '../support/uplinks.js';
import {
  DESK,
  expectFocus,
  listed,
  PHONE,
  said,
  search,
  startFleet,
  tabTo,
  type VisitOptions,
} from './support/fleet-page.js';
import { addTank } from './support/tanks.js';

const NOBODYS = '70B3D5490FF1CE01';
const ATTICS = '70B3D5490FF1CE02';

const { service, sql, api, open } = await startFleet(['read', 'tanks:write', 'telemetry:write']);

beforeEach(async () => {
  await clear(sql);
  await sql.query('delete from quarantined_uplinks');
  await sql.query('delete from sources where not built_in');
  await insertCustomer(sql, { id: 'harbor', name: 'Harbor Hotel' });
  await addTank(sql, 'harbor', { id: 'kitchen', name: 'Kitchen', assigned_device_id: EUI }, []);
  await addTank(sql, 'harbor', { id: 'barn', name: 'Barn', assigned_device_id: 'old-device' }, []);
  const attics = '70-b3-d5-49-0f-f1-ce-02'; // the same device as in ATTICS
  await addTank(sql, 'harbor', { id: 'attic', name: 'Attic', assigned_device_id: attics }, []);
  await setSensor(sql, 'kitchen', 'em400-udl', CALIBRATION);
  await setSensor(sql, 'attic', 'em400-udl', null);
});

async function uplink(message: object): Promise<void> {
  await send(api, message).expect(200);
}

/** Opens the only uplink that waits, from the fleet. */
async function openUplink(options: VisitOptions = {}): Promise<Page> {
  const page = await open('', options);
  await page.getByRole('link', { name: 'Waiting uplinks 1' }).click();
  await page.locator('[data-uplink]').click();
  await page.locator('.uplink pre').waitFor();
  return page;
}

async function sensorOf(tank: string): Promise<object> {
  return (await api.get(`/v1/tanks/${tank}/sensor`).expect(200)).body as object;
}

async function readingsOf(tank: string): Promise<number[]> {
  const { body } = await api.get(`/v1/tanks/${tank}/telemetry`).expect(200);
  return (body as { data: { fill_percentage: number }[] }).data.map(({ fill_percentage }) => fill_percentage);
}

async function waiting(): Promise<string[]> {
  const { body } = await api.get('/v1/uplinks').expect(200);
  return (body as { data: { reason: string }[] }).data.map(({ reason }) => reason);
}

function panel(page: Page): Promise<string> {
  return page.locator('.sensor').innerText();
}

describe('the sensor of a tank', () => {
  it('shows its battery, its signal and what it measured', async () => {
    await uplink(chirpStack({ time: new Date().toISOString() }));

    const page = await open('?tank=kitchen');
    await page.locator('.sensor .facts').waitFor();

    const shown = await panel(page);
    expect(shown).toMatch(/Profile\s+Milesight EM400-UDL/);
    expect(shown).toMatch(/Battery\s+92 %/);
    expect(shown).toMatch(/Signal\s+Good -57 dBm, SNR 9 dB, gateway a84041ffff1e24b0/);
    expect(shown).toMatch(/Temperature\s+25\.7 °C/);
    expect(shown).toMatch(/Measured\s+1,100 mm is 50 % full/);
    expect(shown).toMatch(/Last uplink\s+(just now|\d minutes? ago)/);
    expect(shown).toMatch(/Calibration\s+Empty at 1,600 mm, full at 600 mm/);
    expect(shown).not.toContain('Low battery');
  });

  it.each([
    ['Low battery', { battery_percent: 19 }, { battery_percent: 20 }],
    ['Weak signal', { rssi_dbm: -116 }, { rssi_dbm: -115 }],
    ['Weak signal', { snr_db: -11 }, { snr_db: -10 }],
  ])('is found by its %s, which its tank shows and others do not', async (need, bad, good) => {
    const fine = { battery_percent: 90, rssi_dbm: -80, snr_db: 5 };
    for (const [tank, told] of Object.entries({ kitchen: bad, attic: good })) {
      const { battery_percent: battery, rssi_dbm: rssi, snr_db: snr } = { ...fine, ...told };
      await sql.query(
        `update tank_sensors set battery_percent = $2, rssi_dbm = $3, snr_db = $4, received_at = now(), battery_at = now()
         where tank_key = (select key from tanks where id = $1)`,
        [tank, battery, rssi, snr],
      );
    }
    const page = await open('');
    await page.getByLabel('Sensor').selectOption(need);
    await page.getByText('1 tank, emptiest first').waitFor();
    expect(await listed(page)).toEqual(['Kitchen']);
    await page.locator('.count-all').getByText('1', { exact: true }).waitFor();

    const word = need === 'Weak signal' ? 'Weak' : need;
    for (const [tank, isBad] of Object.entries({ kitchen: true, attic: false })) {
      await page.goto(`${service.url}/fleet?tank=${tank}`);
      await page.locator('.sensor .facts').waitFor();
      expect((await page.locator('.sensor').innerText()).includes(word)).toBe(isBad);
    }
  });

  it('that has not said anything yet, and none at all, look like it, and are not changed without the scope', async () => {
    const attic = await open('?tank=attic', { key: service.key });
    await attic.locator('.sensor .facts').waitFor();
    expect(await panel(attic)).toMatch(/Last uplink\s+None yet\s+Calibration\s+None/);
    expect(await attic.getByRole('link', { name: /sensor/ }).count()).toBe(0);

    const barn = await open('?tank=barn', { key: service.key });
    await barn.getByText('Nothing has happened to it yet.').waitFor();
    expect(await barn.locator('.sensor').count()).toBe(0);
    await barn.goto(`${service.url}/fleet?tank=barn&form=sensor`);
    await barn.getByRole('heading', { name: 'Not with this key' }).waitFor();
    expect(await barn.locator('form').count()).toBe(0);
  });
});

describe('setting the sensor of a tank', () => {
  it('asks for a profile and a calibration by two points, and shows it', async () => {
    const page = await open('?tank=barn');

    await page.getByRole('link', { name: 'Add a sensor' }).click();
    await page.getByLabel('Profile').selectOption('dragino-dds');
    await page.getByLabel('Measured when empty').fill('2.100');
    await page.getByLabel('Measured when full').fill(' 199.5 ');
    await page.getByLabel('Shape').selectOption('Lying cylinder');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: '2,100' }).click(); // or 2.1: it asks
    await page.getByRole('button', { name: 'Save' }).click();
    await said(page, 'Barn has a sensor now.');

    expect(await sensorOf('barn')).toMatchObject({
      profile_id: 'dragino-dds',
      calibration: { empty: 2100, full: 199.5, unit: 'mm', shape: 'horizontal_cylinder' },
    });
    await page.locator('.sensor .facts').waitFor();
    expect(await panel(page)).toMatch(/Empty at 2,100 mm, full at 199\.5 mm\. Lying cylinder/);
  });

  it('takes a table as it comes out of a spreadsheet, and shows it again', async () => {
    const page = await open('?tank=attic&form=sensor');

    await page.getByLabel('Calibration').selectOption('Table of points');
    await page.getByLabel('Points').fill('160\t0\n\n120; 18.5\n15, 100\n');
    await page.getByLabel('Unit').selectOption('cm');
    await page.getByRole('button', { name: 'Save' }).click();
    await said(page, 'Saved.');

    const table = [
      [160, 0],
      [120, 18.5],
      [15, 100],
    ];
    expect(await sensorOf('attic')).toMatchObject({ calibration: { table, unit: 'cm' } });
    await page.getByRole('link', { name: 'Change the sensor' }).click();
    expect(await page.getByLabel('Points').inputValue()).toBe('160 0\n120 18.5\n15 100');
  });

  it('needs no calibration where the profile measures in percent', async () => {
    const profile = { name: 'Percentages', level: { path: 'level', unit: 'percent' } };
    await api.put('/v1/sensor_profiles/own').send(profile);
    const page = await open('?tank=kitchen&form=sensor');

    await page.getByLabel('Profile').selectOption('Percentages – measures %');
    await page.getByText('it needs none').waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await said(page, 'Saved.');

    expect(await sensorOf('kitchen')).toMatchObject({ profile_id: 'own', calibration: null });
  });

  it('has what is wrong at its field, the first with the focus', async () => {
    const page = await open('?tank=barn&form=sensor', { expected: [400] });
    const save = page.getByRole('button', { name: 'Save' });
    const faults = () => page.locator('.fault').allInnerTexts();

    await page.getByLabel('Calibration').selectOption('Two points');
    await page.getByLabel('Measured when full').fill('much');
    await save.click();
    await page.locator('#profile_id:focus[aria-invalid="true"]').waitFor();
    expect(await faults()).toEqual([
      expect.stringContaining('Profile is missing'),
      expect.stringContaining('Measured when empty is missing'),
      expect.stringContaining('Measured when full must be a number'),
    ]);
    expect(await page.getByRole('alert').innerText()).toBe('Not done. 3 fields to put right, marked above.');

    await page.getByLabel('Profile').selectOption('em400-udl');
    await page.getByLabel('Calibration').selectOption('Table of points');
    expect(await faults()).toEqual([]);
    await page.getByLabel('Points').fill('1600 0\n900 101\n150 100 1');
    await save.click();
    await page.locator('[id="calibration/table"]:focus[aria-invalid="true"]').waitFor();
    expect((await faults()).join('')).toMatch(/Point 2: .*0 to 100.*Point 3: .*must be \[value, percent\]/s);

    await page.getByLabel('Points').fill('1600 0\n900 50');
    expect(await page.locator('.trouble').count()).toBe(0);
    await save.click();
    await said(page, 'Barn has a sensor now.');
  });

  it('overwrites nothing that somebody changed meanwhile unseen; an uplink is no change', async () => {
    const page = await open('?tank=kitchen&form=sensor', { expected: [412] });
    const save = page.getByRole('button', { name: 'Save' });
    await page.getByLabel('Measured when empty').fill('2000');
    await setSensor(sql, 'kitchen', 'em400-udl', { ...CALIBRATION, empty: 1800 });

    await save.click();
    await page.getByRole('alert').getByText('Changed meanwhile').waitFor();
    expect(await page.getByRole('alert').innerText()).toContain('Empty at 1,800 mm, full at 600 mm');
    expect(await sensorOf('kitchen')).toMatchObject({ calibration: { empty: 1800 } });
    await uplink(chirpStack());
    await save.click();
    await said(page, 'Saved.');

    expect(await sensorOf('kitchen')).toMatchObject({ calibration: { ...CALIBRATION, empty: 2000 } });
  });

  it('ends with removing it, once it is said twice', async () => {
    const page = await open('?tank=kitchen&form=sensor');

    await page.getByRole('button', { name: 'Remove this sensor' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await said(page, 'The sensor of Kitchen was removed.');

    await api.get('/v1/tanks/kitchen/sensor').expect(404);
    await page.getByRole('link', { name: 'Add a sensor' }).waitFor();
    expect(await page.locator('.sensor .facts').count()).toBe(0);

    await page.getByRole('button', { name: 'Undo' }).click();
    await said(page, 'The sensor is back. Battery and signal come with its next message.');
    expect(await sensorOf('kitchen')).toMatchObject({ profile_id: 'em400-udl', calibration: CALIBRATION });
  });
});

describe('waiting uplinks', () => {
  it('are counted beside the views, and not mentioned when there are none', async () => {
    const none = await open('');
    await listed(none);
    await none.waitForFunction(() =>
      performance.getEntriesByType('resource').some(({ name }) => name.includes('/v1/uplinks')),
    );
    expect(await none.getByText('Waiting uplinks').count()).toBe(0);
    await uplink(device(NOBODYS));
    await uplink(device(ATTICS));

    const page = await open('?low=true');
    await page.getByRole('link', { name: 'Waiting uplinks 2' }).click();
    await page.locator('[data-uplink]').first().waitFor();

    const rows = (await page.locator('tbody tr').allInnerTexts()).map((row) =>
      row.replaceAll(/\s+/g, ' ').replace(/\d minutes? ago/, 'just now'),
    );
    expect(rows).toEqual([
      `${ATTICS} 1 uplink Attic The sensor is not calibrated just now ChirpStack`,
      `${NOBODYS} 1 uplink – No tank has this device just now ChirpStack`,
    ]);
    await page.getByLabel('Reason').selectOption('No tank has this device');
    await page.getByText('1 uplink of 1 device, newest first').waitFor();
    expect(await search(page)).toBe('?view=uplinks&low=true&reason=unknown_device');
    await page.getByRole('link', { name: 'Back to the fleet' }).click();
    expect(await search(page)).toBe('?low=true');
  });

  it('without a calibration become readings once there is one, all of the device together', async () => {
    await uplink(device(ATTICS));
    await uplink(device(ATTICS, { time: '2026-02-03T13:00:00Z' }));
    const page = await open('?view=uplinks');
    await page.locator('[data-uplink]').first().click();

    await page.getByRole('button', { name: 'Try again' }).click();
    await said(page, 'None became a reading, 2 still wait.');
    await page.getByRole('link', { name: 'Change the sensor' }).click();
    await page.locator('.editor').getByLabel('Calibration').selectOption('Two points');
    await page.getByLabel('Measured when empty').fill('2200');
    await page.getByLabel('Measured when full').fill('0');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Try again' }).click();
    await said(page, '2 became readings.');

    expect(await readingsOf('attic')).toEqual([50, 50]);
  });

  it('of a device that several tanks have name them', async () => {
    await sql.query(`update tanks set assigned_device_id = 'twin' where id in ('barn', 'kitchen')`);
    await uplink(device('twin'));

    const page = await openUplink();

    expect(await page.locator('.uplink').innerText()).toContain('Several tanks have this device');
    await page.getByRole('link', { name: 'Swap the device of Barn' }).click();
    await page.getByLabel('Device id').fill('single');
    await page.getByRole('button', { name: 'Save' }).click();
    await said(page, 'Saved.');
    await page.getByRole('link', { name: 'Back to the uplink' }).click();
    await page.getByRole('button', { name: 'Try again' }).click();
    await said(page, '1 became a reading.');
  });

  it('whose message is monstrous are shown in part', async () => {
    const payload = `{"a":${'['.repeat(60_000)}${']'.repeat(60_000)}}`;
    await uplink(device(NOBODYS));
    for (const monster of [payload, `{"a":"${'x'.repeat(200_000)}"}`]) {
      await sql.query('update quarantined_uplinks set payload = $1', [monster]);
      const page = await openUplink();
      const { length } = await page.locator('pre').innerText();
      expect(length).toBeLessThan(20_100);
    }
  });

  it('are discarded one by one, once it is said twice', async () => {
    await uplink(device(NOBODYS));
    const page = await openUplink();

    await page.getByRole('button', { name: 'Discard…' }).click();
    await page.keyboard.press('Escape');
    expect(await waiting()).toEqual(['unknown_device']);
    await page.getByRole('button', { name: 'Discard…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click();
    await said(page, 'The uplink was discarded.');

    await page.getByRole('heading', { name: 'Nothing waits' }).waitFor();
    expect(await waiting()).toEqual([]);
    await expectFocus(page, 'Waiting uplinks');
  });

  it('say so when the service has a problem, and when they do not wait any more', async () => {
    await uplink(device(NOBODYS));
    const page = await openUplink({ expected: [404, 503] });
    await page.route('**/v1/uplinks/retry', (route) => route.fulfill({ status: 503 }), { times: 1 });

    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('alert').getByText('Not done.').waitFor();
    await sql.query('delete from quarantined_uplinks');
    await page.reload();

    await page.getByRole('heading', { name: 'It does not wait any more' }).waitFor();
    expect(await page.locator('main button').count()).toBe(0);
  });

  it('are only shown to a key that may only read, and to one of a customer only theirs', async () => {
    await uplink(device(NOBODYS));
    const page = await openUplink({ key: service.key });
    expect(await page.locator('main button, main form, main .button').count()).toBe(0);

    const bound = await service.createKey({ customerId: 'harbor' });
    const other = await open('?view=uplinks', { key: bound });
    await other.getByRole('heading', { name: 'Nothing waits' }).waitFor();
    await other.getByRole('link', { name: 'Back to the fleet' }).click();
    await listed(other);
    expect(await other.getByText('Waiting uplinks').count()).toBe(0);
  });
});

/** Clicks the value that has this name, as what it is. */
async function choose(page: Page, role: string, value: string | RegExp): Promise<void> {
  await page.getByLabel('The value that you click is').selectOption(role);
  await page.locator('.tree').getByRole('button', { name: value }).click();
}

async function saveAs(page: Page, name: string): Promise<void> {
  await page.getByLabel('Name').fill(name);
  await page.getByRole('button', { name: 'Save' }).click();
  await said(page, 'Saved.');
}

const post = (url: string, message: object) =>
  fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(message),
  });

/** The profile that is made for the source that is open, and the sensors of these tanks with it. */
async function makeProfile(page: Page, make: () => Promise<void>, name: string, tanks: readonly string[]) {
  await page.getByRole('link', { name: 'New profile for its sensors' }).click();
  await make();
  await saveAs(page, name);
  for (const tank of tanks) await setSensor(sql, tank, name.toLowerCase().replaceAll(' ', '-'), CALIBRATION);
}

describe('a source made by looking at a message', () => {
  it('of a callback with hex takes its bytes, by an address that needs no header', async () => {
    await sql.query(`update tanks set assigned_device_id = '1D3B2A' where id = 'barn'`);
    const callback = { id: '1D3B2A', t: '1793469600', raw: '00044c5a' };
    const page = await open('?view=settings&setting=sources');
    await page.getByRole('link', { name: 'New source' }).click();
    await page.getByLabel('Message', { exact: true }).fill(JSON.stringify(callback));

    await choose(page, 'the device', 'id 1D3B2A');
    await choose(page, 'the time', 't 1793469600');
    await choose(page, 'the payload of the sensor', 'raw 00044c5a');
    await page.getByText('(from the message): The tank has no sensor.').waitFor();
    await saveAs(page, 'Field callback');
    await makeProfile(
      page,
      async () => {
        await choose(page, 'the level', '1 04');
        await choose(page, 'the level', '2 4c');
        await page.getByText('In which unit is 1,100?').waitFor();
        await page.getByRole('button', { name: 'Save' }).click();
        await page.locator('#unit:focus[aria-invalid="true"]').waitFor();
        await page.getByLabel('Unit').selectOption('mm');
        await page.getByText('The level is 1,100 mm.').waitFor();
      },
      'Field bytes',
      ['barn'],
    );
    await page.getByRole('link', { name: 'Field callback' }).click();
    await page.getByText('It becomes a reading: 50 %').waitFor();
    await page.getByRole('button', { name: 'Make an address without a key' }).click();
    const url = await page.locator('.secret code').innerText();

    expect(await (await post(url, callback)).json()).toMatchObject({ outcome: 'stored', time: 'message' });
    expect(await readingsOf('barn')).toEqual([50]);
  });

  it('of a gateway with two tanks has a reading of each, and of every message in a body', async () => {
    await sql.query(`update tanks set assigned_device_id = 'gw-7#1' where id = 'barn'`);
    await sql.query(`update tanks set assigned_device_id = 'gw-7#2' where id = 'attic'`);
    const message = {
      gw: 'gw-7',
      at: '2026-02-03T12:00:00Z',
      tanks: [
        { n: 'A', mm: 1100 },
        { n: 'B', mm: 850 },
      ],
    };
    const page = await open('?view=settings&setting=sources&source=%2B');
    await page.getByLabel('Message', { exact: true }).fill(JSON.stringify([message]));

    await choose(page, 'the list of messages', 'Message […]');
    await choose(page, 'the device', 'gw gw-7');
    await choose(page, 'the time', /^at /);
    await choose(page, 'one of several tanks', '[n=A] {…}');
    await choose(page, 'one of several tanks', '[n=B] {…}');
    await page.getByText('gw-7#2').waitFor();
    await saveAs(page, 'Two tanks');
    await makeProfile(page, () => choose(page, 'the level', 'mm 1100'), 'Part of two', ['barn', 'attic']);

    await api.post('/v1/uplinks/sources/two-tanks').send([message]).expect(200);
    expect(await readingsOf('barn')).toEqual([50]);
    expect(await readingsOf('attic')).toEqual([75]);
  });

  it('is corrected from a message of MQTT that waits, whose topic says the device', async () => {
    await api.put('/v1/sources/plugs').send({ name: 'Plugs', device: { path: 'Id' } });
    await sql.query(`update tanks set assigned_device_id = 'plug-7' where id = 'barn'`);
    const payload = { Time: '2026-02-03T13:00:00', SR04: { 'Distance.mm': 1100 } };
    await sql.query(
      `insert into quarantined_uplinks (id, created_at, source, device_id, sent_at, reason, payload, topic, detail)
       values (event_id(now(), 1), now(), 'plugs', '', now(), 'malformed', $1, 'tele/plug-7/SENSOR', 'No device.')`,
      [payload],
    );
    const page = await openUplink({ timezoneId: 'Europe/Vienna' });
    await page.getByRole('link', { name: 'Correct its source' }).click();

    await page.getByText('No device: there is nothing at Id.').waitFor();
    await page.getByLabel('As the API has it').fill('{}');
    await choose(page, 'the device', 'topic 2 plug-7');
    await choose(page, 'the time', /^Time /);
    await page.getByText(/plug-7, .*2026.* \(from the message\)/).waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await said(page, 'Saved.');
    await makeProfile(page, () => choose(page, 'the level', 'Distance.mm 1100'), 'Plug', ['barn']);
    await page.getByRole('button', { name: 'Try again' }).click();
    await said(page, '1 became a reading.');

    const { body } = await api.get('/v1/tanks/barn/telemetry').expect(200);
    expect(body).toMatchObject({
      data: [{ fill_percentage: 50, created_at: '2026-02-03T12:00:00.000Z' }],
    });
  });

  it('takes the unit that stands behind a number or beside it, and asks for it otherwise', async () => {
    const page = await open('?view=settings&setting=sources&profile=%2B');
    const messages = {
      '{"height": "84,5 cm"}': 'height',
      '{"height": 84.5, "unit": "cm"}': 'height',
      '{"height_cm": 84.5}': 'height_cm',
    };
    for (const [message, name] of Object.entries(messages)) {
      await page.getByLabel('As the API has it').fill('{}');
      await page.getByLabel('Message', { exact: true }).fill(message);
      await choose(page, 'the level', new RegExp(`^${name} `));
      await page.getByText('The level is 84.5 cm.').waitFor();
      expect(JSON.parse(await page.getByLabel('As the API has it').inputValue())).toEqual({
        level: { unit: 'cm', path: name },
      });
    }
    await page.getByLabel('As the API has it').fill('{}');
    await page.getByLabel('Message', { exact: true }).fill('{"height": "84,5"}');
    await choose(page, 'the level', /^height /);
    await page.getByText('In which unit is 84.5?').waitFor();
  });

  it('shows the battery, and warns of a number that is no percentage until both ends are known', async () => {
    const page = await open('?view=settings&setting=sources&profile=%2B');
    await page.getByLabel('Message', { exact: true }).fill('{"bat": 87, "bat_mv": 3450}');
    await choose(page, 'the battery', 'bat 87');
    await page.getByText('The battery is at 87 %.').waitFor();
    await choose(page, 'the battery', 'bat_mv 3450');
    await page.getByText('3,450 cannot be a percentage.').waitFor();
    await page.getByLabel('Measured with an empty battery').fill('3000');
    await page.getByLabel('Measured with a full battery').fill('3600');
    await page.getByText('The battery is at 75 %.').waitFor();
    expect(JSON.parse(await page.getByLabel('As the API has it').inputValue())).toEqual({
      battery: { path: 'bat_mv', empty: 3000, full: 3600 },
    });
  });

  it('says what is wrong with it, and that its name is taken', async () => {
    const page = await open('?view=settings&setting=sources&source=%2B', { expected: [400, 412] });
    await page.getByLabel('Message', { exact: true }).fill('no JSON');
    await page.getByText('This is neither JSON nor a number.').waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Name is missing').waitFor();
    await page.getByLabel('Name').fill('Tasmota');
    await page.getByLabel('As the API has it').fill('{"device": {"path": ".."}}');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('#rules:focus[aria-invalid="true"]').waitFor();
    await page.getByLabel('As the API has it').fill('{}');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('There is one with the id tasmota').waitFor();

    expect(await page.locator('.fault').count()).toBe(1);
  });
});

describe.each([
  ['a desk', DESK],
  ['a phone', PHONE],
])('by keyboard alone, on %s', (_name, viewport) => {
  it('puts right what an uplink waits for, and is back where it was', async () => {
    await uplink(device(NOBODYS));
    const page = await open('', { viewport });
    await listed(page);
    await page.getByText('Waiting uplinks').waitFor();

    await tabTo(page, 'Waiting uplinks 1');
    await page.keyboard.press('Enter');
    await page.locator('[data-uplink]').waitFor();
    await expectFocus(page, 'Waiting uplinks');
    await tabTo(page, NOBODYS);
    await page.keyboard.press('Enter');
    await page.locator('.uplink pre').waitFor();
    await page.keyboard.press('Shift+Tab');
    await expectFocus(page, 'Back to the uplinks');
    await page.keyboard.press('Enter');
    await page.locator(`[data-uplink]:focus`).waitFor();
    await page.keyboard.press('Enter');
    await page.locator('.uplink pre').waitFor();
    expect(await page.locator('.uplink').innerText()).toContain('No tank has this device');

    await tabTo(page, 'tank');
    await page.keyboard.type('barn');
    await page.getByRole('button', { name: 'Barn Harbor Hotel' }).waitFor();
    await tabTo(page, 'Barn Harbor Hotel');
    await page.keyboard.press('Enter');
    await page.getByText('It has the device old-device now, which will be replaced.').waitFor();
    await expectFocus(page, 'tank');
    await page.keyboard.press('Enter');
    await page.getByText('The tank has no sensor.').waitFor();
    await expectFocus(page, 'Tank'); // the heading above what comes next
    await tabTo(page, 'Add a sensor');
    await page.keyboard.press('Enter');
    await page.getByLabel('Profile').waitFor();
    await tabTo(page, 'profile_id');
    await page.keyboard.type('Milesight EM400');
    await tabTo(page, 'calibration/empty');
    await page.keyboard.type('1600');
    await tabTo(page, 'calibration/full');
    await page.keyboard.type('600');
    await page.keyboard.press('Enter');
    await said(page, 'Barn has a sensor now.');
    await page.getByText('What it waited for was put right.').waitFor();
    await tabTo(page, 'Try again');
    await page.keyboard.press('Enter');

    await said(page, '1 became a reading.');
    await page.getByRole('heading', { name: 'Nothing waits' }).waitFor();
    expect(await waiting()).toEqual([]);
    await expectFocus(page, 'Waiting uplinks');
    expect(await readingsOf('barn')).toEqual([50]);
  });
});
