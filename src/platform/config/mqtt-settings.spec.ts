// The settings of MQTT: every mistake is named together, without a secret.
import { describe, expect, it } from '@jest/globals';
import { ConfigError, loadConfig } from './config.js';

const KEY = `tms_abcdefgh.${'x'.repeat(43)}`;

function problemsOf(environment: NodeJS.ProcessEnv): readonly string[] {
  try {
    loadConfig({ MQTT_KEY: KEY, ...environment });
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}

describe('MQTT_URL', () => {
  it('is off when it is not set, whatever else is', () => {
    expect(loadConfig({ MQTT_KEY: KEY }).mqtt).toBeUndefined();
  });

  it('is read with its user and password, and the defaults of the others', () => {
    const MQTT_URL = 'mqtts://us%40er:p%2Fss@broker.example.com:8883?protocol=3.1.1';

    expect(loadConfig({ MQTT_URL, MQTT_KEY: KEY }).mqtt).toEqual({
      broker: {
        protocol: 'mqtts',
        host: 'broker.example.com',
        port: 8883,
        path: '/',
        username: 'us@er',
        password: 'p/ss',
        version: 4,
      },
      key: KEY,
      topics: [{ source: 'chirpstack', filter: 'application/+/device/+/event/up' }],
      clientId: 'tank-monitoring',
    });
  });

  it.each(['ws://broker/mqtt?token=1', 'wss://broker', 'mqtt://[::1]', 'mqtt://broker/?protocol=5'])(
    'may be %s',
    (MQTT_URL) => expect(problemsOf({ MQTT_URL })).toEqual([]),
  );

  it.each([
    'http://broker',
    'broker:1883',
    'mqtt://',
    'mqtt://user:hunter2#@broker',
    'mqtt://user:hunter2/@broker',
    'mqtt://user:%hunter2@broker',
    'mqtt://user:hunter2@broker?protocol=4',
    'mqtt://user:hunter2@broker?clientId=x',
    'mqtt://user:hunter2@broker/path',
  ])('cannot be %s, which is not repeated', (MQTT_URL) => {
    const problems = problemsOf({ MQTT_URL });

    expect(problems).toEqual([expect.stringMatching(/^MQTT_URL must /)]);
    expect(problems.join('\n')).not.toContain('hunter2');
  });
});

it('every entry of MQTT_TOPICS that is wrong is named, with the other settings', () => {
  const MQTT_TOPICS =
    'generic=a/+/b, tts=a,=b,generic=,generic=a#,generic=#/a,generic=a+/b,generic=$share/g/a,x,';

  expect(
    problemsOf({ MQTT_URL: 'mqtt://broker', MQTT_TOPICS, MQTT_KEY: 'x', MQTT_CLIENT_ID: 'a b' }),
  ).toEqual([
    'MQTT_KEY must be a whole API key, as "keys create" showed it: prefix.secret',
    'MQTT_TOPICS must have chirpstack, tts, generic or the id of a source before the "=" of each entry, not "=b"',
    'MQTT_TOPICS must have a filter of 1 to 65535 bytes without NUL after each "=", not "generic="',
    'MQTT_TOPICS must have "+" and "#" only as whole levels of a filter, not "generic=a#"',
    'MQTT_TOPICS must have "#" only as the last level of a filter, not "generic=#/a"',
    'MQTT_TOPICS must have "+" and "#" only as whole levels of a filter, not "generic=a+/b"',
    'MQTT_TOPICS must have no shared subscriptions, not "generic=$share/g/a"',
    'MQTT_TOPICS must have entries such as generic=tanks/+/state, not "x"',
    'MQTT_TOPICS must have entries such as generic=tanks/+/state, not ""',
    'MQTT_CLIENT_ID must be 1 to 128 visible ASCII characters',
  ]);
});

it('MQTT_KEY is required, also when the URL is wrong', () => {
  expect(problemsOf({ MQTT_URL: 'http://broker', MQTT_KEY: '' })).toEqual([
    'MQTT_URL must look like mqtts://user:password@broker.example.com:8883',
    'MQTT_KEY is required with MQTT_URL: an API key with telemetry:write',
  ]);
});
