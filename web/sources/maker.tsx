// The form of a source or a profile: a message as a tree, in which clicking a value says what it is, and what would become of it.
import type { SourceTest } from 'tank-monitoring-client';
import { Editor } from '../form/editor.js';
import { Field } from '../form/field.js';
import { exactTime, percent } from '../format.js';
import { Confirm } from '../parts/confirm.js';
import { TroubleBanner } from '../parts/trouble.js';
import { measured, senderInWords } from '../sensors/sensor-words.js';
import { idOf, numberIn, ROLES, SENDERS, type Made } from './made.js';
import { Sending } from './sending.js';
import { nodeAt, Tree, type Node } from './tree.js';
import { useMaker, type MakerProps } from './use-maker.js';
import { words } from '../words/words.js';

export function Maker(props: MakerProps) {
  const { kind, opened, list, back } = props;
  const { stored, sources } = opened;
  const { form, look, made, setMade, message, tested, results, bytes, nodes, ...making } = useMaker(props);
  const sending = stored?.object === 'source' && <Sending source={stored} list={list} />;
  if (stored?.object === 'source' && stored.built_in) return sending;
  const senders = [
    ['', words.sources.itself] as const,
    ...Object.keys(SENDERS).map((id) => [id, senderInWords(id)] as const),
    ...sources.map(({ id, name }) => [id, name] as const),
  ];
  const { message: text } = look.filled.values;
  const ofUnit: typeof look.filled = {
    ...look.filled,
    values: { ...look.filled.values, unit: made.level?.unit ?? 'mm' },
    set: (_, unit) => setMade({ ...made, level: { ...made.level, unit: unit as 'mm' } }),
  };
  const removal = stored !== undefined && (
    <Confirm
      label={words.settings.deleteEndpoint}
      title={words.form.deleteWhat(stored.name)}
      action={words.delete}
      onConfirm={() => void making.remove()}
    >
      {words.sources.removeNote}
    </Confirm>
  );
  return (
    <>
      {sending}
      <Editor
        {...{ form, back, removal }}
        label={words.save}
        onSave={making.save}
        cancel={back}
        meanwhile={null}
      >
        <fieldset class="panel maker">
          <legend>{words.uplink.message}</legend>
          <Field filled={look.filled} name="message" />
          <Field filled={look.filled} name="topic" />
          {kind === 'profile' && <Field filled={look.filled} name="sender" choices={senders} />}
          <p role="status">{text.trim() !== '' && message === undefined && words.sources.noJson}</p>
        </fieldset>
        {nodes.length > 0 && (
          <fieldset class="panel maker">
            <legend>{words.sources.whatIsWhat}</legend>
            <Field
              filled={look.filled}
              name="role"
              choices={ROLES[kind].map((one) => [one, words.sources.roles[one]] as const)}
              hint={bytes === undefined ? words.sources.clickHint : words.sources.bytesHint}
            />
            {kind === 'profile' && <Field filled={ofUnit} name="unit" />}
            <Tree nodes={nodes} markOf={making.markOf} onChoose={making.choose} />
            <TroubleBanner of={[tested]} />
            <div class="plain" role="status">
              {kind === 'profile' && <p>{levelInWords(made, nodes, bytes)}</p>}
              {results.map((one, i) => (
                <Result key={i} {...one} />
              ))}
            </div>
          </fieldset>
        )}
        <fieldset class="panel maker">
          <legend>{words.sources.kinds[kind]}</legend>
          <Field
            filled={form.filled}
            name="name"
            hint={words.sources.idIs(stored?.id ?? idOf(form.filled.values.name))}
          />
          <Field filled={form.filled} name="rules" />
        </fieldset>
      </Editor>
    </>
  );
}

function Result({
  device_id: device,
  created_at: at,
  time,
  outcome,
  reason,
  fill_percentage: fill,
  detail,
}: SourceTest) {
  const known = Object.entries(words.uplink.reasons).find(([name]) => name === reason);
  const waits = known?.[1].why ?? reason;
  const becomes =
    outcome === 'quarantined' ? waits : words.sources.outcomes(outcome, fill === null ? '' : percent(fill));
  return (
    <p>
      <strong>{device ?? words.uplink.noDevice}</strong>
      {at !== null && `, ${exactTime(Date.parse(at))} (${words.sources.times[time ?? 'arrival']})`}: {becomes}
      . <span class="second">{detail}</span>
    </p>
  );
}

/** What was clicked, as the profile will read it. */
function levelInWords({ level }: Made, nodes: readonly Node[], hex: string | undefined): string {
  const { path = '', bytes, factor = 1, offset = 0, unit } = level ?? {};
  const read = bytes === undefined ? nodes[0] && nodeAt(nodes[0], path)?.value : numberIn(hex ?? '', bytes);
  if (unit === undefined || read == null || (path === '' && bytes === undefined))
    return words.sources.noLevel;
  const number = Number(read);
  return words.sources.levelIs(
    Number.isNaN(number) ? JSON.stringify(read) : measured(number * factor + offset, unit),
  );
}
