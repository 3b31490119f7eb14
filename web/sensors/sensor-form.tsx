// The view in which a tank gets a sensor, or its sensor is changed or removed: its profile, and what its measurements mean for the tank. The
// service judges what is entered.
import type { LevelUnit } from 'tank-monitoring-client';
import { openSensor } from '../api/sensors.js';
import { Editor, FormFrame } from '../form/editor.js';
import { Field } from '../form/field.js';
import { percent } from '../format.js';
import { usePage } from '../page.js';
import { Confirm } from '../parts/confirm.js';
import { Icon } from '../parts/icons.js';
import { behindTank } from '../route.js';
import { mayChangeTanks } from '../session.js';
import { levelOf } from './level-preview.js';
import { bodyOf, FIELDS_OF_KIND } from './sensor-fields.js';
import { calibrationInWords, measured, profileInWords } from './sensor-words.js';
import { useSensor, type SensorEditing } from './use-sensor.js';
import { words } from '../words/words.js';

export function SensorForm({ tankId }: { readonly tankId: string }) {
  const { client, me, route } = usePage();
  // An uplink that waits for this sensor is where it goes on.
  const back = { ...route, form: undefined, tank: route.uplink === undefined ? tankId : undefined };
  return (
    <FormFrame
      open={(signal) => openSensor(client, tankId, signal)}
      titleOf={(opened) => words.sensor.of(opened?.tankName)}
      back={back}
      behind={route.uplink === undefined ? 'tank' : behindTank(route)}
      kind="tank"
      may={mayChangeTanks(me)}
    >
      {(opened) => <SensorEditor tankId={tankId} opened={opened} back={back} />}
    </FormFrame>
  );
}

function SensorEditor(props: SensorEditing) {
  const { tankName, profiles } = props.opened;
  const { form, filled, stored, isOvertaken, save, remove } = useSensor(props);
  const { profile_id: id, calibration: kind } = filled.values;
  const profile = profiles.find((one) => one.id === id);
  const names = new Map(profiles.map((one) => [one.id, one.name]));
  const none = words.sensor.chooseProfile;
  const choices = profiles.map(
    (one) => [one.id, words.sensor.measures(one.name, words.sensor.units[one.level.unit])] as const,
  );
  const overtaken = (
    <div class="trouble">
      <Icon name="warning" />
      <p role="alert">
        <strong>{words.sensor.meanwhile}</strong>{' '}
        {stored === undefined ? words.sensor.removedBy : words.sensor.changedBy}{' '}
        {stored !== undefined &&
          `${words.sensor.nowStored(names.get(stored.profile_id) ?? none, calibrationInWords(stored.calibration))} `}
        {words.sensor.replaceIt}
      </p>
    </div>
  );
  const removal = (
    <Confirm
      label={words.sensor.remove}
      title={words.sensor.removeWhat(tankName)}
      action={words.remove}
      onConfirm={() => void remove()}
    >
      {words.sensor.removeNote}
    </Confirm>
  );
  return (
    <Editor
      form={form}
      label={words.save}
      onSave={save}
      cancel={props.back}
      meanwhile={isOvertaken && overtaken}
      removal={stored !== undefined && removal}
    >
      <fieldset class="panel">
        <legend>{words.sensor.one}</legend>
        <Field
          filled={filled}
          name="profile_id"
          hint={profile === undefined ? words.sensor.profileHint : profileInWords(profile)}
          choices={id === '' ? [['', none], ...choices] : choices}
        />
        <Field filled={filled} name="calibration" hint={calibrationHint(profile?.level.unit, kind)} />
      </fieldset>
      {kind !== 'none' && (
        <fieldset class="panel">
          <legend>{words.fields.calibration}</legend>
          {FIELDS_OF_KIND[kind]?.map((name) => (
            <Field key={name} filled={filled} name={name} />
          ))}
          <p role="status" class="second">
            {previewOf(stored?.last_uplink?.level, profile?.level.unit, bodyOf(filled.values).calibration)}
          </p>
        </fieldset>
      )}
    </Editor>
  );
}

/** So that a slip of the pen is seen before it is saved. */
function previewOf(value: number | null | undefined, unit: LevelUnit | undefined, calibration: unknown) {
  if (value == null || unit === undefined) return '';
  const level = levelOf(value, unit, calibration);
  if (level === undefined) return '';
  const last = measured(value, unit);
  return level === null ? words.sensor.lastOutside(last) : words.sensor.lastIs(last, percent(level));
}

function calibrationHint(unit: LevelUnit | undefined, kind: string): string {
  if (unit === undefined) return words.sensor.calibrationHint;
  if (unit === 'percent') return words.sensor.needsNone;
  const measures = unit === 'raw' ? words.sensor.measuresRaw : words.sensor.measuresIn(unit);
  if (kind === 'none') return words.sensor.withoutWaits(measures);
  return unit === 'raw' ? words.sensor.rawToo(measures) : `${measures}.`;
}
