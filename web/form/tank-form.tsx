// The view in which a tank is added or edited: opened as it is stored, for a key that may change it.
import { mayChangeTanks } from '../session.js';
import { FormFrame, type FormProps } from './form-frame.js';
import { open, type Opened } from './opened.js';
import { TankEditor } from './tank-editor.js';
import { words } from '../words/words.js';

export function TankForm({ client, ownKey, route, onDone }: FormProps) {
  const key = ownKey.data;
  const titleOf = (opened: Opened | undefined) =>
    route.form === 'add' ? words.form.addTank : words.form.editTank(opened?.tank?.name);
  return (
    <FormFrame
      titleOf={titleOf}
      back={{ ...route, form: undefined }}
      behind={route.tank === undefined ? route.view : 'tank'}
      kind="tank"
      ownKey={ownKey}
      may={mayChangeTanks(key)}
      open={(signal) => open(client, route, key?.customer_id ?? route.owner, signal)}
    >
      {(opened) =>
        key && <TankEditor client={client} ownKey={key} opened={opened} route={route} onDone={onDone} />
      }
    </FormFrame>
  );
}
