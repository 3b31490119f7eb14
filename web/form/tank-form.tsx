// The view in which a tank is added or edited: opened as it is stored, for a key that may change it.
import type { Key, TankMonitoring } from 'tank-monitoring-client';
import type { Leave } from '../notice.js';
import type { Route } from '../route.js';
import { mayChangeTanks } from '../session.js';
import { useFresh, type Fresh } from '../use-fresh.js';
import { FormFrame } from './form-frame.js';
import { open, openDeleted } from './opened.js';
import { TankEditor } from './tank-editor.js';

interface Props {
  readonly client: TankMonitoring;
  readonly ownKey: Fresh<Key>;
  readonly route: Route;
  readonly onDone: Leave;
}

export function TankForm({ client, ownKey, route, onDone }: Props) {
  const key = ownKey.data;
  const mayChange = mayChangeTanks(key);
  const opened = useFresh(
    mayChange ? 'open' : undefined,
    (signal) =>
      route.form === 'restore' && route.tank !== undefined
        ? openDeleted(client, route.tank, signal)
        : open(client, route.tank, key?.customer_id ?? route.owner, signal),
    { once: true },
  );
  const name = opened.data?.tank?.name;
  const titles = { add: 'Add a tank', restore: `Restore ${opened.data?.known?.name ?? 'a tank'}` };
  const title =
    route.form === 'add' || route.form === 'restore' ? titles[route.form] : `Edit ${name ?? 'a tank'}`;
  return (
    <FormFrame
      title={title}
      back={{ ...route, form: undefined }}
      behind={route.tank === undefined ? route.view : 'tank'}
      kind="tank"
      ownKey={ownKey}
      may={mayChange}
      opened={opened}
    >
      {key !== undefined && opened.data != null && (
        <TankEditor client={client} ownKey={key} opened={opened.data} route={route} onDone={onDone} />
      )}
    </FormFrame>
  );
}
