// The page follows the feed of changes: what happens is on the screen a moment later, with one open request a tab.
import { describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { SCOPES } from '../../src/common/auth/scope.js';
import { until } from '../faults/support/until.js';
import { insertCustomer } from '../support/builders.js';
import { listed, repeatedIn, rowOf, setHidden, startFleet, type Visit } from './support/fleet-page.js';
import { addTank, hourly } from './support/tanks.js';

const { sql, api, visit } = await startFleet(SCOPES, { environment: { WORKER: 'true' } });
await insertCustomer(sql, { id: 'harbor', name: 'Harbor Hotel' });
await addTank(sql, 'harbor', { id: 'kitchen', name: 'Kitchen' }, hourly(30, 1, 60, 55));
await addTank(sql, 'harbor', { id: 'sauna', name: 'Sauna' }, hourly(30, 1, 60, 44));

async function send(tank_id: string, fill_percentage: number): Promise<void> {
  const reading = { tank_id, created_at: new Date().toISOString(), fill_percentage };
  await api
    .post('/v1/telemetry')
    .send({ readings: [reading] })
    .expect(200);
}

/** The page has read its place in the feed, and waits there. */
const following = ({ followed }: Visit): Promise<void> =>
  until('it follows', () => followed.some((request) => !request.url().includes('after=latest')));

function openRequests({ followed }: Visit): number {
  return followed.filter((request) => request.timing().responseEnd === -1).length;
}

async function seen(page: Page, text: string): Promise<void> {
  await page.getByText(text).first().waitFor({ timeout: 50_000 }); // less than the minute after which it would ask anyway
}

describe('what happens', () => {
  it('is in the list a moment later, with one open request', async () => {
    const visited = await visit();
    await listed(visited.page);
    await following(visited);

    await send('kitchen', 31.4);

    await seen(visited.page, '31.4 %');
    expect(openRequests(visited)).toBeLessThanOrEqual(1);
  });

  it('is in an open tank, which asks for nothing when another one reports', async () => {
    const visited = await visit('?tank=kitchen');
    await seen(visited.page, '31.4 %');
    await following(visited);
    const { length } = repeatedIn(visited.asked); // what is asked for the first time may still come

    const goesOn = visited.page.waitForRequest(/\/v1\/changes/);
    await send('sauna', 43.2);
    await goesOn;
    expect(repeatedIn(visited.asked)).toHaveLength(length);
    await send('kitchen', 30.9);

    await seen(visited.page, '30.9 %');
  });

  it('shows a tank that was renamed, and one that is gone', async () => {
    await addTank(sql, 'harbor', { id: 'barn', name: 'Barn' }, hourly(30, 1, 60, 50));
    const visited = await visit();
    await listed(visited.page);
    await following(visited);

    await api.patch('/v1/tanks/barn').send({ name: 'Old barn' }).expect(200);
    await seen(visited.page, 'Old barn');
    await api.delete('/v1/tanks/barn').expect(200);

    await visited.page.locator('[data-tank="barn"]').waitFor({ state: 'detached', timeout: 50_000 });
    expect(await listed(visited.page)).not.toContain('Old barn');
  });

  it('waits while nobody looks, and is there when somebody does', async () => {
    const visited = await visit();
    await listed(visited.page);
    await following(visited);
    const heard = visited.page.waitForResponse(/\/v1\/changes/);
    await setHidden(visited.page, true);
    await send('sauna', 21.7);
    await heard;
    const { length } = visited.followed;

    await send('sauna', 20.6);
    expect(visited.followed).toHaveLength(length);
    await setHidden(visited.page, false);

    await seen(visited.page, '20.6 %');
    expect(await rowOf(visited.page, 'sauna')).toContain('20.6 %');
  });
});
