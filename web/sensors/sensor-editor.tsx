// The form of a sensor: its profile, and what its measurements mean for the tank. The service judges what is entered.
import { useEffect, useRef } from 'preact/hooks';
import type { LevelUnit, TankShape } from 'tank-monitoring-client';
import { FailureBanner } from '../form/failure.js';
import { Field } from '../form/field.js';
import { Confirm } from '../parts/confirm.js';
import { Icon } from '../parts/icons.js';
import { Link } from '../parts/link.js';
import type { Route } from '../route.js';
import { percent } from '../words.js';
import { levelOf } from './level-preview.js';
import { bodyOf, KINDS, SHAPES, UNITS } from './sensor-fields.js';
import { useSensor, type SensorEditing } from './use-sensor.js';
import { calibrationInWords, measured, profileInWords, SHAPE_NAMES, unitName } from './words.js';

const KIND_NAMES: Record<string, string> = { none: 'None', points: 'Two points', table: 'Table of points' };

export function SensorEditor(props: SensorEditing & { readonly back: Route }) {
  const { opened, back } = props;
  const { filled, stored, isBusy, failure, isOvertaken, save, remove } = useSensor(props);
  const form = useRef<HTMLFormElement>(null);
  useEffect(
    () => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus(),
    [failure?.trouble],
  );
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    void save();
  };
  const { profile_id: id, calibration: kind } = filled.values;
  const profile = opened.profiles.find((one) => one.id === id);
  const nameOf = (one: string) =>
    opened.profiles.find((known) => known.id === one)?.name ?? 'Choose a profile';
  return (
    <form class="editor" ref={form} noValidate onSubmit={submit}>
      <fieldset class="panel">
        <legend>Sensor</legend>
        <Field
          filled={filled}
          name="profile_id"
          hint={profile === undefined ? 'Says where in its messages the level is.' : profileInWords(profile)}
          choices={[...(id === '' ? [''] : []), ...opened.profiles.map((one) => one.id)]}
          inWords={nameOf}
        />
        <Field
          filled={filled}
          name="calibration"
          hint={calibrationHint(profile?.level.unit, kind)}
          choices={KINDS}
          inWords={(one) => KIND_NAMES[one] ?? one}
        />
      </fieldset>
      {kind !== 'none' && (
        <fieldset class="panel">
          <legend>Calibration</legend>
          {kind === 'table' ? (
            <Field
              filled={filled}
              name="calibration/table"
              lines={8}
              hint="One a line: what is measured, then how full the tank is then, in %. For example 1600 0"
            />
          ) : (
            <>
              <Field filled={filled} name="calibration/empty" inputMode="decimal" />
              <Field filled={filled} name="calibration/full" inputMode="decimal" />
            </>
          )}
          <Field
            filled={filled}
            name="calibration/unit"
            choices={UNITS}
            inWords={(one) => unitName(one as LevelUnit)}
          />
          {kind === 'points' && (
            <Field
              filled={filled}
              name="calibration/shape"
              choices={SHAPES}
              inWords={(one) => SHAPE_NAMES[one as TankShape]}
            />
          )}
          <p role="status" class="second">
            {previewOf(stored?.last_uplink?.level, profile?.level.unit, bodyOf(filled.values).calibration)}
          </p>
        </fieldset>
      )}
      {failure !== undefined && <FailureBanner failure={failure} />}
      {isOvertaken && (
        <div class="trouble">
          <Icon name="warning" />
          <p role="alert">
            <strong>Changed meanwhile.</strong> Somebody {stored === undefined ? 'removed' : 'changed'} this
            sensor after you opened it, so nothing of yours was done yet.{' '}
            {stored !== undefined &&
              `Now stored: ${nameOf(stored.profile_id)}, calibration: ${calibrationInWords(stored.calibration)}. `}
            Try again to replace it.
          </p>
        </div>
      )}
      <div class="actions">
        <button type="submit" class="main-action">
          {isBusy ? 'Saving…' : 'Save'}
        </button>
        <Link to={back} class="button">
          Cancel
        </Link>
        {stored !== undefined && (
          <Confirm
            label="Remove this sensor…"
            title={`Remove the sensor of ${opened.tankName}?`}
            action="Remove"
            onConfirm={() => void remove()}
          >
            Its profile, its calibration and what it said last are forgotten. Readings are kept. Uplinks that
            come will wait.
          </Confirm>
        )}
      </div>
    </form>
  );
}

/** So that a slip of the pen is seen before it is saved. */
function previewOf(
  value: number | null | undefined,
  unit: LevelUnit | undefined,
  calibration: unknown,
): string {
  if (value == null || unit === undefined) return '';
  const level = levelOf(value, unit, calibration);
  if (level === undefined) return '';
  const last = `The last measurement, ${measured(value, unit)},`;
  return level === null ? `${last} is outside of it.` : `${last} is ${percent(level)} full.`;
}

function calibrationHint(unit: LevelUnit | undefined, kind: string): string {
  if (unit === undefined) return 'Says what a measurement means for this tank.';
  if (unit === 'percent') return 'This sensor measures in %: it needs none.';
  if (unit === 'raw')
    return `This sensor measures a number of its own${kind === 'none' ? ': without a calibration its uplinks wait' : '; the calibration is in it, too'}.`;
  return kind === 'none'
    ? `This sensor measures in ${unit}: without a calibration its uplinks wait.`
    : `This sensor measures in ${unit}.`;
}
