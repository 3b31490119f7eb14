// What is entered about a sensor, saving it, and what comes of that. Nothing that somebody else saved meanwhile is overwritten unseen.
import { useMemo, useState } from 'preact/hooks';
import {
  ifUnchanged,
  ProblemError,
  type Sensor,
  type SensorInput,
  type TankMonitoring,
  type WriteOptions,
} from 'tank-monitoring-client';
import type { OpenedSensor } from '../api/sensors.js';
import { orUndefined } from '../api/troubles.js';
import { unlessOvertaken, useAttempt } from '../form/attempts.js';
import { useDraft } from '../form/draft.js';
import type { Failure } from '../form/failure.js';
import type { Faults, Filled } from '../form/field.js';
import {
  bodyOf,
  doubtsAbout,
  faultsOf,
  SENSOR_FORM,
  valuesOf,
  type SensorField,
  type SensorValues,
} from './sensor-fields.js';

export interface SensorEditing {
  readonly client: TankMonitoring;
  readonly tankId: string;
  readonly opened: OpenedSensor;
  readonly onDone: (notice: string, restore?: () => Promise<unknown>) => void;
}

export function useSensor({ client, tankId, opened, onDone }: SensorEditing) {
  const [stored, setStored] = useState(opened.sensor);
  const { values, setValues, drop } = useDraft(`sensor ${tankId}`, valuesOf(stored));
  const [corrected, setCorrected] = useState<readonly SensorField[]>([]);
  const [settled, setSettled] = useState<Partial<SensorValues>>(() => valuesOf(stored));
  const [doubts, setDoubts] = useState<Faults<SensorField>>({});
  const [isOvertaken, setIsOvertaken] = useState(false);
  const { isBusy, trouble, attempt } = useAttempt();
  const found = useMemo(() => (trouble instanceof ProblemError ? faultsOf(trouble) : {}), [trouble]);
  const faults = { ...without(found, corrected), ...doubts };

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
    // It may be stored already: the answer to the first try was lost.
    return now !== undefined && isSetAs(now, body);
  };
  const change = (act: () => Promise<boolean>, notice: string, restore?: () => Promise<unknown>) =>
    attempt(async () => {
      setCorrected([]);
      setIsOvertaken(false);
      if (await act()) {
        drop();
        onDone(notice, restore);
      } else setIsOvertaken(true);
    });
  const save = async () => {
    const asked = doubtsAbout(values, settled);
    setDoubts(asked);
    if (Object.keys(asked).length > 0) return;
    const body = bodyOf(values);
    await change(
      () => write((condition) => client.sensors.put(tankId, body, condition), body),
      stored === undefined ? `${opened.tankName} has a sensor now.` : 'Saved.',
    );
  };
  const remove = () =>
    change(
      async () => (await orUndefined(write((condition) => client.sensors.delete(tankId, condition)))) ?? true,
      `The sensor of ${opened.tankName} was removed.`,
      stored && (() => client.sensors.put(tankId, settingsOf(stored), { ifNoneMatch: '*' })),
    );

  const filled: Filled<SensorField> = {
    ...SENSOR_FORM,
    values,
    faults,
    set: (name, value, isSettled = false) => {
      if (isSettled) setSettled((before) => ({ ...before, [name]: value }));
      setDoubts((before) => without(before, [name]));
      setValues((before) => ({ ...before, [name]: value, ...suggested(name, value, before) }));
      setCorrected((before) => [...before, name]);
    },
  };
  /** A profile that measures a length or another number needs a calibration, mostly in its unit; one in percent needs none. */
  const suggested = (name: SensorField, value: string, before: SensorValues): Partial<SensorValues> => {
    const unit = opened.profiles.find(({ id }) => name === 'profile_id' && id === value)?.level.unit;
    if (unit === undefined) return {};
    if (unit === 'percent') return { calibration: 'none' };
    if (before.calibration === 'none') return { calibration: 'points', 'calibration/unit': unit };
    const isOtherKind = (unit === 'raw') !== (before['calibration/unit'] === 'raw');
    return isOtherKind ? { 'calibration/unit': unit } : {};
  };
  const wrong = Object.keys(found).length;
  const isPutRight = wrong > 0 && Object.keys(faults).length === 0;
  const failure: Failure | undefined = trouble === undefined || isPutRight ? undefined : { trouble, wrong };
  return { filled, stored, isBusy, failure, isOvertaken, save, remove };
}

/** Another kind of calibration has other fields. */
function without(faults: Faults<SensorField>, names: readonly SensorField[]): Faults<SensorField> {
  const isLeft = (fault: string) => !names.some((name) => fault === name || fault.startsWith(`${name}/`));
  return Object.fromEntries(Object.entries(faults).filter(([name]) => isLeft(name)));
}

function settingsOf({ profile_id, calibration }: Sensor): SensorInput {
  return { profile_id, calibration };
}

function isSetAs(sensor: Sensor | undefined, other: SensorInput | undefined): boolean {
  return JSON.stringify(sensor && settingsOf(sensor)) === JSON.stringify(other);
}
