// The form of a source or a profile: a message as a tree, in which clicking a value says what it is, and what would become of it.
import type { SourceTest } from 'tank-monitoring-client';
import { Editor } from '../form/editor.js';
import { Field } from '../form/field.js';
import { typedIn } from '../form/inputs.js';
import { exactTime, percent } from '../format.js';
import { Confirm } from '../parts/confirm.js';
import { Icon } from '../parts/icons.js';
import { TroubleBanner } from '../parts/trouble.js';
import { measured, senderInWords } from '../sensors/sensor-words.js';
import { batteryPercent, idOf, ROLES, SENDERS, valueOf, writtenIn, type Made } from './made.js';
import { Sending } from './sending.js';
import { Tree, type Node } from './tree.js';
import { useMaker, type MakerProps } from './use-maker.js';
import { words } from '../words/words.js';

export function Maker(props: MakerProps) {
  const { kind, opened, list, back } = props;
  const { sources } = opened;
  const { form, look, stored, made, message, tested, results, bytes, nodes, ...making } = useMaker(props);
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
    values: {
      ...look.filled.values,
      unit: typedIn(form.filled.values.rules, () => made.level?.unit ?? ''),
    },
    set: (_, unit) => making.setMade({ ...made, level: { ...made.level, unit: unit as 'mm' } }),
  };
  const ofBattery: typeof look.filled = {
    ...look.filled,
    set: (name, typed) => making.setBattery(name === 'battery_full' ? 'full' : 'empty', typed),
  };
  const known = Object.entries(words.sensor.units);
  const units = made.level?.unit === undefined ? [['', words.sources.chooseUnit] as const, ...known] : known;
  const clicked = { made, nodes, hex: bytes };
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
            {kind === 'profile' && <Field filled={ofUnit} name="unit" choices={units} />}
            {kind === 'profile' && made.battery != null && (
              <>
                <Field filled={ofBattery} name="battery_empty" />
                <Field filled={ofBattery} name="battery_full" />
              </>
            )}
            <Tree nodes={nodes} markOf={making.markOf} onChoose={making.choose} />
            <TroubleBanner of={[tested]} />
            <div class="plain" role="status">
              {kind === 'profile' && <p>{levelInWords(clicked)}</p>}
              <Battery {...clicked} kind={kind} />
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

interface Clicked {
  readonly made: Made;
  readonly nodes: readonly Node[];
  readonly hex: string | undefined;
}

/** What was clicked, as the profile will read it. */
function levelInWords({ made: { level }, nodes, hex }: Clicked): string {
  const read = valueOf(level, nodes, hex);
  if (read == null) return words.sources.noLevel;
  const written = writtenIn(read);
  const unit = written?.unit ?? level?.unit;
  if (written === undefined) return words.sources.noNumber(JSON.stringify(read));
  if (unit === undefined) return words.sources.whichUnit(measured(written.number, 'raw'));
  return words.sources.levelIs(measured(written.number * (level?.factor ?? 1) + (level?.offset ?? 0), unit));
}

/** A number that is no percentage is no battery, unless it is said what an empty and a full one measure. */
function Battery({ made, nodes, hex, kind }: Clicked & Pick<MakerProps, 'kind'>) {
  const read = valueOf(kind === 'profile' ? made.battery : made.battery_percent, nodes, hex);
  if (read == null) return null;
  const { number } = writtenIn(read) ?? {};
  const level = number === undefined ? undefined : batteryPercent(kind === 'profile' ? made : {}, number);
  if (level !== undefined) return <p>{words.sources.batteryIs(percent(level))}</p>;
  const shown = number === undefined ? JSON.stringify(read) : measured(number, 'raw');
  return (
    <p class="fault">
      <Icon name="warning" />
      <span>{words.sources.noPercentage[kind](shown)}</span>
    </p>
  );
}
