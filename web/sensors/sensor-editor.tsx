// The form of a sensor: its profile, and what its measurements mean for the tank. The service judges what is entered.
import type { LevelUnit } from 'tank-monitoring-client';
import { Editor } from '../form/editor.js';
import { Field } from '../form/field.js';
import { Confirm } from '../parts/confirm.js';
import { Icon } from '../parts/icons.js';
import { percent } from '../words.js';
import { levelOf } from './level-preview.js';
import { bodyOf, FIELDS_OF_KIND } from './sensor-fields.js';
import { useSensor, type SensorEditing } from './use-sensor.js';
import { calibrationInWords, measured, profileInWords, UNIT_NAMES } from './words.js';

export function SensorEditor(props: SensorEditing) {
  const { tankName, profiles } = props.opened;
  const { form, filled, stored, isOvertaken, save, remove } = useSensor(props);
  const { profile_id: id, calibration: kind } = filled.values;
  const profile = profiles.find((one) => one.id === id);
  const names = new Map(profiles.map((one) => [one.id, one.name]));
  const none = 'Choose a profile';
  const choices = profiles.map(
    (one) => [one.id, `${one.name} – measures ${UNIT_NAMES[one.level.unit]}`] as const,
  );
  const overtaken = (
    <div class="trouble">
      <Icon name="warning" />
      <p role="alert">
        <strong>Changed meanwhile.</strong> Somebody {stored === undefined ? 'removed' : 'changed'} this
        sensor after you opened it, so nothing of yours was done yet.{' '}
        {stored !== undefined &&
          `Now stored: ${names.get(stored.profile_id) ?? none}, calibration: ${calibrationInWords(stored.calibration)}. `}
        Try again to replace it.
      </p>
    </div>
  );
  const removal = (
    <Confirm
      label="Remove this sensor…"
      title={`Remove the sensor of ${tankName}?`}
      action="Remove"
      onConfirm={() => void remove()}
    >
      Its profile, its calibration and what it said last are forgotten. Readings are kept. Uplinks that come
      will wait.
    </Confirm>
  );
  return (
    <Editor
      form={form}
      label="Save"
      onSave={save}
      cancel={props.back}
      meanwhile={isOvertaken && overtaken}
      removal={stored !== undefined && removal}
    >
      <fieldset class="panel">
        <legend>Sensor</legend>
        <Field
          filled={filled}
          name="profile_id"
          hint={profile === undefined ? 'Says where in its messages the level is.' : profileInWords(profile)}
          choices={id === '' ? [['', none], ...choices] : choices}
        />
        <Field filled={filled} name="calibration" hint={calibrationHint(profile?.level.unit, kind)} />
      </fieldset>
      {kind !== 'none' && (
        <fieldset class="panel">
          <legend>Calibration</legend>
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
  const last = `The last measurement, ${measured(value, unit)},`;
  return level === null ? `${last} is outside of it.` : `${last} is ${percent(level)} full.`;
}

function calibrationHint(unit: LevelUnit | undefined, kind: string): string {
  if (unit === undefined) return 'Says what a measurement means for this tank.';
  if (unit === 'percent') return 'This sensor measures in %: it needs none.';
  const measures = `This sensor measures ${unit === 'raw' ? 'a number of its own' : `in ${unit}`}`;
  if (kind === 'none') return `${measures}: without a calibration its uplinks wait.`;
  return unit === 'raw' ? `${measures}; the calibration is in it, too.` : `${measures}.`;
}
