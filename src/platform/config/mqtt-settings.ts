// The settings of MQTT: which broker, which topics, with which key. No message repeats the URL or the key: they hold secrets.
import { Kind, matching, optional, readServerUrl, type Refuse } from './kinds.js';

export interface MqttBroker {
  readonly protocol: 'mqtt' | 'mqtts' | 'ws' | 'wss';
  /** As it is shown in the log. */
  readonly host: string;
  readonly port: number | undefined;
  /** Of a WebSocket. */
  readonly path: string;
  readonly username: string | undefined;
  readonly password: string | undefined;
  readonly version: 5 | 4;
}

/** What is published to the topics of a filter, and by whom. Whether there is such a source shows at the start. */
export interface MqttTopic {
  readonly source: string;
  readonly filter: string;
}

const PROTOCOLS = ['mqtt', 'mqtts', 'ws', 'wss'] as const;
const EXAMPLE = 'must look like mqtts://user:password@broker.example.com:8883';

export const mqttUrl = optional('mqtt, mqtts, ws or wss://user:password@host:port', readUrl);

function readUrl(text: string, refuse: Refuse): MqttBroker | undefined {
  const protocol = PROTOCOLS.find((one) => text.startsWith(`${one}://`));
  const read = protocol === undefined ? EXAMPLE : readServerUrl(text, EXAMPLE);
  if (typeof read === 'string') return refuse(read);
  const { url, user, password } = read;
  if (protocol === undefined || url.hostname === '') return refuse(EXAMPLE);
  const asked = url.searchParams.get('protocol') ?? '5';
  if (asked !== '5' && asked !== '3.1.1') return refuse('must have 5 or 3.1.1 as its protocol');
  url.searchParams.delete('protocol');
  const isWebSocket = protocol.startsWith('ws');
  if (!isWebSocket && (url.search !== '' || !['', '/'].includes(url.pathname)))
    return refuse('must end after the port, or with ?protocol=3.1.1');
  return {
    protocol,
    host: url.hostname,
    port: url.port === '' ? undefined : Number(url.port),
    path: `${url.pathname || '/'}${url.search}`,
    username: user || undefined,
    password: password || undefined,
    version: asked === '5' ? 5 : 4, // as 3.1.1 is numbered in the protocol
  };
}

const DEFAULT_TOPICS = 'chirpstack=application/+/device/+/event/up';

export const mqttTopics = new Kind(
  'source=filter, separated by commas; source is chirpstack, tts, generic or the id of a source',
  (given = DEFAULT_TOPICS, refuse) =>
    given.split(',').flatMap((entry) => readTopic(entry.trim(), refuse) ?? []),
  DEFAULT_TOPICS,
);

function readTopic(entry: string, refuse: Refuse): MqttTopic | undefined {
  const at = entry.indexOf('=');
  const name = entry.slice(0, Math.max(at, 0)).trim();
  const filter = entry.slice(at + 1).trim();
  const fault =
    at < 0
      ? 'must have entries such as generic=tanks/+/state'
      : !/^[\w.-]{1,64}$/.test(name)
        ? 'must have chirpstack, tts, generic or the id of a source before the "=" of each entry'
        : faultOfFilter(filter);
  return fault === undefined ? { source: name, filter } : refuse(`${fault}, not "${entry}"`);
}

function faultOfFilter(filter: string): string | undefined {
  const levels = filter.split('/');
  if (filter === '' || filter.includes('\0') || Buffer.byteLength(filter) > 65_535)
    return 'must have a filter of 1 to 65535 bytes without NUL after each "="';
  // After a broker's restart they are gone while their session is there, and messages are lost.
  if (levels[0] === '$share') return 'must have no shared subscriptions';
  if (levels.slice(0, -1).includes('#')) return 'must have "#" only as the last level of a filter';
  if (levels.some((level) => level.length > 1 && /[+#]/.test(level)))
    return 'must have "+" and "#" only as whole levels of a filter';
  return undefined;
}

export const mqttClientId = matching(
  'text',
  (text) => /^[\x21-\x7e]{1,128}$/.test(text),
  'must be 1 to 128 visible ASCII characters',
);

/** Whether there is such a key shows at the start. */
export const mqttKey = matching(
  'API key',
  (text) => /^[\w-]{4,32}\.[\w-]{43}$/.test(text),
  'must be a whole API key, as "keys create" showed it: prefix.secret',
);
