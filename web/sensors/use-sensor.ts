// What is entered about a sensor, saving it, and what comes of that. Nothing that somebody else saved meanwhile is overwritten unseen.
import { useState } from 'preact/hooks';
import { ifUnchanged, type Sensor, type SensorInput, type WriteOptions } from 'tank-monitoring-client';
import type { OpenedSensor } from '../api/sensors.js';
import { orUndefined } from '../api/troubles.js';
import { unlessOvertaken } from '../form/attempts.js';
import { useForm } from '../form/use-form.js';
import { undoBy } from '../notice.js';
import { usePage } from '../page.js';
import type { Route } from '../route.js';
import {
  bodyOf,
  doubtsAbout,
  faultsOf,
  SENSOR_FIELDS,
  valuesOf,
  type SensorValues,
} from './sensor-fields.js';
import { words } from '../words/words.js';

export interface SensorEditing {
  readonly tankId: string;
  readonly opened: OpenedSensor;
  readonly back: Route;
}

export function useSensor({ tankId, opened, back }: SensorEditing) {
  const { client, onDone } = usePage();
  const [stored, setStored] = useState(opened.sensor);
  const form = useForm({ fields: SENSOR_FIELDS, stored: valuesOf(stored), draft: `sensor ${tankId}` });
  const [isOvertaken, setIsOvertaken] = useState(false);
  const { values } = form.filled;

  /** The tag is of what the last uplink said, too: if that is all that changed, it is tried again with the new one. */
  const write = async (
    act: (condition: WriteOptions) => Promise<unknown>,
    body?: SensorInput,
    known = stored,
  ): Promise<boolean> => {
    if (await unlessOvertaken(act(known === undefined ? {} : ifUnchanged(known)))) return true;
    const now = await orUndefined(client.sensors.get(tankId));
    if (isSetAs(now, known && settingsOf(known))) return write(act, body, now);
    setStored(now);
    form.compareWith(valuesOf(now));
    // It may be stored already: the answer to the first try was lost.
    return now !== undefined && isSetAs(now, body);
  };
  const change = (act: () => Promise<boolean>, notice: string, restore?: () => Promise<unknown>) =>
    form.send(async () => {
      setIsOvertaken(false);
      if (!(await act())) return setIsOvertaken(true);
      form.drop();
      onDone(notice, back, undoBy(restore, words.sensor.back, back));
    }, faultsOf);
  const save = async () => {
    const asked = doubtsAbout(values, { ...valuesOf(opened.sensor), ...form.settled });
    form.setFaults((before) => ({ ...before, ...asked }));
    if (Object.keys(asked).length > 0) return;
    const body = bodyOf(values);
    await change(
      () => write((condition) => client.sensors.put(tankId, body, condition), body),
      stored === undefined ? words.sensor.hasNow(opened.tankName) : words.saved,
    );
  };
  const remove = () =>
    change(
      async () => (await orUndefined(write((condition) => client.sensors.delete(tankId, condition)))) ?? true,
      words.sensor.wasRemoved(opened.tankName),
      stored && (() => client.sensors.put(tankId, settingsOf(stored), { ifNoneMatch: '*' })),
    );

  /** A profile that measures a length or another number needs a calibration, mostly in its unit; one in percent needs none. */
  const suggestedBy = (profile: string, before: SensorValues): Partial<SensorValues> => {
    const unit = opened.profiles.find(({ id }) => id === profile)?.level.unit;
    if (unit === undefined) return {};
    if (unit === 'percent') return { calibration: 'none' };
    if (before.calibration === 'none') return { calibration: 'points', 'calibration/unit': unit };
    const isOtherKind = (unit === 'raw') !== (before['calibration/unit'] === 'raw');
    return isOtherKind ? { 'calibration/unit': unit } : {};
  };
  const filled: typeof form.filled = {
    ...form.filled,
    set: (name, value, isSettled) => {
      form.filled.set(name, value, isSettled);
      if (name === 'profile_id') form.setValues((before) => ({ ...before, ...suggestedBy(value, before) }));
    },
  };
  return { form, filled, stored, isOvertaken, save, remove };
}

function settingsOf({ profile_id, calibration }: Sensor): SensorInput {
  return { profile_id, calibration };
}

function isSetAs(sensor: Sensor | undefined, other: SensorInput | undefined): boolean {
  return JSON.stringify(sensor && settingsOf(sensor)) === JSON.stringify(other);
}
