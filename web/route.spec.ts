// An address says what is shown: it can be sent to a colleague, and nothing in it can break the page.
import { describe, expect, it } from '@jest/globals';
import { addressOf, filterOf, parseRoute, sortOf, START, wholeAddressOf } from './route.js';

describe('an address', () => {
  it.each([
    '?view=plan&use_case=residential&owner_id=harbor&q=kitchen&sort=alert_at&until=2026-12-24&fill_to=80&truck=10000',
    '?view=map&low=true&at=51.9000%2C4.5000%2C9.50',
    '?silent=true&low_battery=true&sort=alert_at&page=3',
    '?view=events&type=tank.low&events_of=kitchen&span=7d',
    '?view=customers&customer=harbor',
    '?view=uplinks&reason=malformed&uplink=01',
    '?view=settings&setting=webhooks&endpoint=one',
    '?tank=kitchen&form=edit',
    '?form=add&device_id=A8-40-41',
    '?tank=kitchen&from=2026-01-01&to=2026-01-31',
  ])('%s is read and written alike', (address) => {
    expect(addressOf(parseRoute(address))).toBe(address);
  });

  it.each([
    '?view=nothing&page=-1&page=2&until=soon&fill_to=0&sort=name&use_case=home&at=91,0,3',
    '?page=1.5&fill_to=101&at=1,2,3,4&span=2w&from=2026-02-01&to=2026-01-01&form=edit&type=x&reason=y',
    '?uplink=01&customer=harbor&endpoint=one&events_of=kitchen&object_id=of-another-view&device_id=x',
  ])('that makes no sense shows the fleet: %s', (address) => {
    expect(parseRoute(address)).toEqual(START);
  });

  it('holds what is chosen, whatever the ids are, where the service does not see it; links do not', () => {
    const address = '?view=plan&q=hotel#chosen=a,b%2Cc,%25';
    expect(parseRoute(address).chosen).toEqual(['a', 'b,c', '%']);
    expect(wholeAddressOf(parseRoute(address))).toBe(address);
    expect(addressOf(parseRoute(address))).toBe('?view=plan&q=hotel');
    expect(parseRoute('#main').chosen).toEqual([]);
    expect(parseRoute('#chosen=%E0%A4%A').chosen).toEqual(['%E0%A4%A']);
  });
});

describe('the parameters of the list', () => {
  it('are those of the condition and the filters, without a search that is too short', () => {
    expect(filterOf(parseRoute('?low=true&weak_signal=true&q=k'))).toEqual({
      low: true,
      use_case: undefined,
      low_battery: undefined,
      weak_signal: true,
      owner_id: undefined,
      q: undefined,
    });
    expect(filterOf(parseRoute('?q=%20one%20two%20three%20four%20five%20six')).q).toBe(
      'one two three four five',
    );
  });

  it.each([
    ['?low=true', 'fill_percentage'],
    ['?silent=true', 'reported_at'],
    ['?reported=false', 'created_at'],
    ['?silent=true&sort=alert_at', 'alert_at'],
    ['?view=plan&sort=fill_percentage', 'empty_at'],
  ])('have the worst first unless told otherwise: %s', (address, sort) => {
    expect(sortOf(parseRoute(address))).toBe(sort);
  });
});
