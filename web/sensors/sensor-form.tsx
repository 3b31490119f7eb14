// The view in which a tank gets a sensor, or its sensor is changed or removed.
import type { Key, TankMonitoring } from 'tank-monitoring-client';
import { openSensor } from '../api/sensors.js';
import { FormFrame } from '../form/form-frame.js';
import { undoBy, type Leave } from '../notice.js';
import { behindTank, type Route } from '../route.js';
import { mayChangeTanks } from '../session.js';
import { useFresh, type Fresh } from '../use-fresh.js';
import { SensorEditor } from './sensor-editor.js';

const BACK = 'The sensor is back. Battery and signal come with its next message.';

interface Props {
  readonly client: TankMonitoring;
  readonly ownKey: Fresh<Key>;
  readonly tankId: string;
  readonly route: Route;
  readonly onDone: Leave;
}

export function SensorForm({ client, ownKey, tankId, route, onDone }: Props) {
  const may = mayChangeTanks(ownKey.data);
  const opened = useFresh(may ? 'open' : undefined, (signal) => openSensor(client, tankId, signal), {
    once: true,
  });
  // An uplink that waits for this sensor is where it goes on.
  const back = { ...route, form: undefined, tank: route.uplink === undefined ? tankId : undefined };
  return (
    <FormFrame
      title={`Sensor of ${opened.data?.tankName ?? 'a tank'}`}
      back={back}
      behind={route.uplink === undefined ? 'tank' : behindTank(route)}
      kind="tank"
      ownKey={ownKey}
      may={may}
      opened={opened}
    >
      {opened.data != null && (
        <SensorEditor
          client={client}
          tankId={tankId}
          opened={opened.data}
          back={back}
          onDone={(notice, restore) => onDone(notice, back, undoBy(restore, BACK, back))}
        />
      )}
    </FormFrame>
  );
}
