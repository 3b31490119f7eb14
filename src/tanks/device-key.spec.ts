import { describe, expect, it } from '@jest/globals';
import { deviceKey } from './device-key.js';

const EUI = '0016C001F000175A';

describe('an EUI', () => {
  it.each([
    EUI,
    '0016c001f000175a',
    '0016c001F000175a',
    '00-16-c0-01-f0-00-17-5a',
    '00:16:C0:01:F0:00:17:5A',
    '00:16:c0:01:F0:00:17:5a',
    '0016 C001 F000 175A',
    '0016-c001-f000-175a',
    '0016.c001.f000.175a',
    '00-16:c0 01.f0-00-175a',
    ' 0016C001F000175A-',
  ])('written %s is one device', (written) => {
    expect(deviceKey(written)).toBe(EUI);
  });
});

it('has channels, whose names are exact', () => {
  expect(deviceKey('0016 c001-f000:175a#left-1')).toBe(`${EUI}#left-1`);
  expect(deviceKey(`${EUI}#Left-1`)).toBe(`${EUI}#Left-1`);
  expect(deviceKey('gw-7#0016c001f000175a')).toBe('gw-7#0016c001f000175a');
});

describe('any other id', () => {
  it.each([
    '',
    'device-a',
    '0016C001F000175',
    '0016C001F000175A0',
    '0016C001F000175G',
    '0016C001F000175A\n',
    '0016_c001_f000_175a',
    '#0016c001f000175a',
    'eui-0016c001f000175a',
    '００１６ｃ００１ｆ０００１７５',
  ])('stays as it is: %j', (id) => {
    expect(deviceKey(id)).toBe(id);
  });
});
