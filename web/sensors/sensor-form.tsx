// The view in which a tank gets a sensor, or its sensor is changed or removed.
import { openSensor } from '../api/sensors.js';
import { FormFrame, type FormProps } from '../form/form-frame.js';
import { behindTank } from '../route.js';
import { mayChangeTanks } from '../session.js';
import { SensorEditor } from './sensor-editor.js';
import { words } from '../words/words.js';

export function SensorForm({
  client,
  ownKey,
  tankId,
  route,
  onDone,
}: FormProps & { readonly tankId: string }) {
  // An uplink that waits for this sensor is where it goes on.
  const back = { ...route, form: undefined, tank: route.uplink === undefined ? tankId : undefined };
  return (
    <FormFrame
      open={(signal) => openSensor(client, tankId, signal)}
      titleOf={(opened) => words.sensor.of(opened?.tankName)}
      back={back}
      behind={route.uplink === undefined ? 'tank' : behindTank(route)}
      kind="tank"
      ownKey={ownKey}
      may={mayChangeTanks(ownKey.data)}
    >
      {(opened) => (
        <SensorEditor client={client} tankId={tankId} opened={opened} back={back} onDone={onDone} />
      )}
    </FormFrame>
  );
}
