// A source or a profile while it is made: what is looked at, what the service would make of it, and saving.
import { useState } from 'preact/hooks';
import {
  ifUnchanged,
  type ProblemError,
  type SensorProfileInput,
  type SourceTestInput,
} from 'tank-monitoring-client';
import { inFormWords } from '../form/faults.js';
import type { Fields } from '../form/field.js';
import { meaningsOf, numberAsText } from '../form/numbers.js';
import { useForm } from '../form/use-form.js';
import { usePage } from '../page.js';
import { NEW, type Route } from '../route.js';
import { keepInTab } from '../session.js';
import { useFresh } from '../use-fresh.js';
import {
  idOf,
  roleAt,
  ROLES,
  rulesOf,
  SENDERS,
  TOPIC_LEVEL,
  withRole,
  type Kind,
  type Made,
  type Role,
} from './made.js';
import type { Opened } from './source-form.js';
import { besideIn, bytesOf, isObject, jsonIn, nodeAt, treeOf, type Node } from './tree.js';
import { words } from '../words/words.js';

export interface MakerProps {
  readonly kind: Kind;
  readonly opened: Opened;
  readonly list: Route;
  readonly back: Route;
}

const FIELDS = {
  name: { label: words.sources.name, isRequired: true },
  rules: { label: words.sources.asJson, hint: words.sources.jsonHint, lines: 8 },
};
type Look = 'message' | 'topic' | 'sender' | 'role' | 'unit' | 'battery_empty' | 'battery_full';
/** What is looked at; it is not saved. */
const LOOK: Fields<Look> = {
  message: { label: words.uplink.message, hint: words.sources.messageHint, lines: 8 },
  topic: { label: words.sources.topic, hint: words.sources.topicHint },
  sender: { label: words.uplink.sentBy },
  role: { label: words.sources.click },
  unit: { label: words.fields.capacity_unit, choices: Object.entries(words.sensor.units) },
  battery_empty: { label: words.sources.batteryEmpty, inputMode: 'decimal' },
  battery_full: { label: words.sources.batteryFull, inputMode: 'decimal' },
};

export function useMaker({ kind, opened, list, back }: MakerProps) {
  const { client, onDone } = usePage();
  const { sources, looked } = opened;
  const [stored, setStored] = useState(opened.stored);
  const form = useForm({
    fields: FIELDS,
    stored: { name: stored?.name ?? '', rules: rulesOf(stored) },
    draft: `${kind} ${stored?.id ?? NEW}`,
  });
  const look = useForm({
    fields: LOOK,
    stored: { ...looked, role: ROLES[kind][0], unit: '', ...batteryOf(stored) },
    draft: undefined,
  });
  const { name, rules } = form.filled.values;
  const { message: text, topic, sender, role } = look.filled.values;
  keepInTab('message', { message: text, topic });
  const made = Object(jsonIn(rules)) as Made;
  const message = messageIn(text);

  const by = kind === 'source' ? made : (SENDERS[sender] ?? sources.find(({ id }) => id === sender));
  const asked =
    message === undefined || by === undefined
      ? undefined
      : { source: { ...by, name: '-' }, message, ...(topic !== '' && { topic }) };
  const tested = useFresh(
    asked && ['source test', JSON.stringify(asked)],
    async (signal) => {
      const answer = await client.sources.test(asked as SourceTestInput, { signal });
      return answer.object === 'list' ? answer.data : [answer];
    },
    { once: true },
  );
  const results = asked === undefined ? [] : (tested.data ?? []);
  const payload = by === undefined ? message : results.find((one) => one.payload !== null)?.payload;
  const hex = isObject(payload) && typeof payload['bytes'] === 'string' ? payload['bytes'] : undefined;
  const bytes = kind === 'profile' ? hex : undefined;
  const nodes =
    kind === 'source'
      ? nodesOf(message, topic, role, made)
      : bytes === undefined
        ? treesOf(payload)
        : bytesOf(bytes);

  const setMade = (next: Made) => form.filled.set('rules', JSON.stringify(next, null, 2));
  const choose = (path: string) => {
    const node = nodes.map((one) => nodeAt(one, path)).find((one) => one !== undefined);
    if (path === '' && role !== 'messages') return;
    const beside = nodes.flatMap((one) => besideIn(one, path));
    if (node !== undefined) setMade(withRole(made, role as Role, node, bytes !== undefined, beside));
    if (role === 'device') look.filled.set('role', 'time');
  };
  const markOf = (path: string) => {
    const found = roleAt(made, path, bytes !== undefined);
    return found && words.sources.roles[found];
  };
  const lacksUnit = nodes.length > 0 && made.level !== undefined && made.level.unit === undefined;
  const askForUnit = () => {
    look.setFaults({ unit: { detail: words.sources.chooseUnit } });
    document.getElementById('unit')?.focus();
  };
  const setBattery = (end: 'empty' | 'full', typed: string) => {
    look.filled.set(`battery_${end}`, typed);
    setMade({ ...made, battery: { ...made.battery, [end]: meaningsOf(typed, false)[0] } });
  };
  const save = () =>
    form.send(
      async () => {
        const id = stored?.id ?? idOf(name);
        if (lacksUnit) return askForUnit();
        if (id === '') return form.setFaults({ name: { detail: words.form.isMissing(FIELDS.name.label) } });
        const body = { ...made, name: name.trim() };
        const condition = stored === undefined ? ({ ifNoneMatch: '*' } as const) : ifUnchanged(stored);
        if (kind === 'source') {
          const source = await client.sources.put(id, body, condition);
          setStored(source); // it stays open
          form.restart({ name: source.name, rules: rulesOf(source) });
        } else {
          await client.sensorProfiles.put(id, body as SensorProfileInput, condition);
          form.drop();
        }
        onDone(words.saved, kind === 'source' ? { ...list, source: id } : back);
      },
      (problem) => faultsOf(problem, idOf(name)),
    );
  const remove = () =>
    form.send(async () => {
      const all = kind === 'source' ? client.sources : client.sensorProfiles;
      if (stored !== undefined) await all.delete(stored.id, ifUnchanged(stored));
      form.drop();
      onDone(words.sources.removed, list);
    });
  const making = { setMade, setBattery, choose, markOf, save, remove };
  return { form, look, stored, made, message, tested, results, bytes, nodes, ...making };
}

const asText = (value: number | undefined) => (value === undefined ? '' : numberAsText(value));

function batteryOf(stored: Opened['stored']) {
  const { empty, full } = (stored?.object === 'sensor_profile' && stored.battery) || {};
  return { battery_empty: asText(empty), battery_full: asText(full) };
}

function faultsOf({ status, code, errors }: ProblemError, id: string) {
  if (status === 412 || code === 'id_taken') return { name: { detail: words.sources.idTaken(id) } };
  const told = errors.map(({ pointer = '', detail }) => inFormWords(pointer, pointer.slice(1), detail));
  return told.length === 0 ? {} : { rules: { detail: told.join('. ') } };
}

/** As MQTT takes it: JSON, or a number with its unit. Undefined when it is neither. */
function messageIn(text: string): unknown {
  const given = text.trim();
  return jsonIn(given) ?? (/^[+-]?\d[\d.,]*\s*\S{0,8}$/.test(given) ? given : undefined);
}

const treesOf = (payload: unknown): readonly Node[] =>
  payload == null ? [] : [treeOf(payload, words.sources.payload)];

/** The levels of the topic, and the message. Of several in one body the first stands for all, since paths begin at each. */
function nodesOf(message: unknown, topic: string, role: string, { messages }: Made): readonly Node[] {
  if (message === undefined) return [];
  const levels = topic.split('/').map((value, i) => {
    return { name: words.sources.level(i + 1), path: `${TOPIC_LEVEL}${i + 1}`, value, children: [] };
  });
  const whole = treeOf(message, words.uplink.message);
  const several = role === 'messages' ? undefined : messages && nodeAt(whole, messages.path)?.value;
  return [
    ...(topic === '' ? [] : levels),
    Array.isArray(several) ? treeOf(several[0], words.sources.first) : whole,
  ];
}
