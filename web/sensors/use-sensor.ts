// What is entered about a sensor, saving it, and what comes of that. Nothing that somebody else saved meanwhile is overwritten unseen.
import { useMemo, useState } from 'preact/hooks';
import type { ApiClient, Change } from '../api/client.js';
import { changeSensor, findTaggedSensor, type OpenedSensor, type Sensor } from '../api/sensors.js';
import { orUndefined, Refusal } from '../api/troubles.js';
import { unlessOvertaken, useAttempt } from '../form/attempts.js';
import type { Failure } from '../form/failure.js';
import type { Faults, Filled } from '../form/field.js';
import {
  bodyOf,
  faultsOf,
  SENSOR_FORM,
  valuesOf,
  type SensorField,
  type SensorValues,
} from './sensor-fields.js';

export interface SensorEditing {
  readonly client: ApiClient;
  readonly tankId: string;
  readonly opened: OpenedSensor;
  readonly onDone: (notice: string) => void;
}

export function useSensor({ client, tankId, opened, onDone }: SensorEditing) {
  const [stored, setStored] = useState(opened.sensor);
  const [values, setValues] = useState(() => valuesOf(opened.sensor?.object));
  const [corrected, setCorrected] = useState<readonly SensorField[]>([]);
  const [isOvertaken, setIsOvertaken] = useState(false);
  const { isBusy, trouble, attempt } = useAttempt();
  const found = useMemo(() => (trouble instanceof Refusal ? faultsOf(trouble) : {}), [trouble]);
  const faults = without(found, corrected);

  /** The tag is of what the last uplink said, too: if that is all that changed, it is tried again with the new one. */
  const write = async (change: Change, known = stored): Promise<boolean> => {
    if (await unlessOvertaken(changeSensor(client, tankId, { ...change, tag: known?.tag }))) return true;
    const now = await findTaggedSensor(client, tankId);
    if (settingsOf(now?.object) === settingsOf(known?.object)) return write(change, now);
    setStored(now);
    // It may be stored already: the answer to the first try was lost.
    return now !== undefined && settingsOf(now.object) === JSON.stringify(change.body);
  };
  const change = (act: () => Promise<boolean>, notice: string) =>
    attempt(async () => {
      setCorrected([]);
      setIsOvertaken(false);
      if (await act()) onDone(notice);
      else setIsOvertaken(true);
    });
  const save = () =>
    change(
      () => write({ method: 'PUT', body: bodyOf(values) }),
      stored === undefined ? `${opened.tankName} has a sensor now.` : 'Saved.',
    );
  const remove = () =>
    change(
      async () => (await orUndefined(write({ method: 'DELETE' }))) ?? true,
      `The sensor of ${opened.tankName} was removed.`,
    );

  const filled: Filled<SensorField> = {
    ...SENSOR_FORM,
    values,
    faults,
    set: (name, value) => {
      setValues((before) => ({ ...before, [name]: value, ...suggested(name, value, before) }));
      setCorrected((before) => [...before, name]);
    },
  };
  /** A profile that measures a length needs a calibration, mostly in its unit; one in percent needs none. */
  const suggested = (name: SensorField, value: string, before: SensorValues): Partial<SensorValues> => {
    const unit = opened.profiles.find(({ id }) => name === 'profile_id' && id === value)?.level.unit;
    if (unit === undefined) return {};
    if (unit === 'percent') return { calibration: 'none' };
    return before.calibration === 'none' ? { calibration: 'points', 'calibration/unit': unit } : {};
  };
  const wrong = Object.keys(found).length;
  const isPutRight = wrong > 0 && Object.keys(faults).length === 0;
  const failure: Failure | undefined = trouble === undefined || isPutRight ? undefined : { trouble, wrong };
  return { filled, stored: stored?.object, isBusy, failure, isOvertaken, save, remove };
}

/** Another kind of calibration has other fields. */
function without(faults: Faults<SensorField>, names: readonly SensorField[]): Faults<SensorField> {
  const isLeft = (fault: string) => !names.some((name) => fault === name || fault.startsWith(`${name}/`));
  return Object.fromEntries(Object.entries(faults).filter(([name]) => isLeft(name)));
}

function settingsOf(sensor: Sensor | undefined): string | undefined {
  return sensor && JSON.stringify({ profile_id: sensor.profile_id, calibration: sensor.calibration });
}
