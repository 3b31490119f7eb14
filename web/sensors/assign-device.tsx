// Gives a device to a tank: one is found by what is typed, chosen, and assigned once it is seen what that replaces.
import { useState } from 'preact/hooks';
import { ifUnchanged, type Tank } from 'tank-monitoring-client';
import { searchTanks } from '../api/sensors.js';
import { FailureBanner, useAttempt } from '../form/attempts.js';
import { Field, type Filled } from '../form/field.js';
import { FoundList, useFound } from '../form/found.js';
import { useTyped } from '../form/inputs.js';
import { isLive } from '../form/opened.js';
import { placeOf } from '../format.js';
import { usePage } from '../page.js';
import { Button } from '../parts/button.js';
import { words } from '../words/words.js';

const FIELD = { label: words.uplink.assign, hint: words.uplink.assignHint };

interface Props {
  readonly deviceId: string;
  readonly onAssigned: () => void;
}

export function AssignDevice({ deviceId, onAssigned }: Props) {
  const { client } = usePage();
  const [typed, setTyped] = useTyped('');
  const [chosen, setChosen] = useState<Tank>();
  const { isBusy, trouble, attempt } = useAttempt();
  const found = useFound('tank', chosen === undefined ? typed.trim() : '', (text, signal) =>
    searchTanks(client, text, signal),
  );
  const choose = (id: string) =>
    attempt(async () => {
      const tank = await client.tanks.get(id);
      if (!isLive(tank)) return;
      setChosen(tank);
      setTyped(tank.name);
      document.getElementById('tank')?.focus(); // from there Enter assigns it
    });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (chosen === undefined) return;
    void attempt(async () => {
      try {
        await client.tanks.patch(chosen.id, { assigned_device_id: deviceId }, ifUnchanged(chosen));
      } catch (error) {
        setChosen(undefined); // it may have changed, so it is chosen anew
        document.getElementById('tank')?.focus();
        throw error;
      }
      document.getElementById('tank-of')?.focus(); // the form goes
      onAssigned();
    });
  };
  const filled: Filled<'tank'> = {
    fields: { tank: FIELD },
    values: { tank: typed },
    faults: {},
    set: (_name, value) => {
      setTyped(value);
      setChosen(undefined);
    },
  };
  return (
    <form class="assign" noValidate onSubmit={submit}>
      <Field filled={filled} name="tank">
        <FoundList found={found} one="tank">
          {({ tank_id, name, owner_name, location }) => (
            <Button key={tank_id} onClick={() => void choose(tank_id)}>
              {name} <span class="second">{[owner_name, placeOf(location)].filter(Boolean).join(', ')}</span>
            </Button>
          )}
        </FoundList>
      </Field>
      <FailureBanner trouble={trouble} />
      {chosen !== undefined && (
        <div class="actions">
          <button type="submit" class="main-action">
            {isBusy ? words.uplink.assigning : words.uplink.assignTo(chosen.name)}
          </button>
          <p role="status">{replacing(chosen.assigned_device_id)}</p>
        </div>
      )}
    </form>
  );
}

function replacing(device: string): string {
  return device === '' ? words.uplink.hasNoDevice : words.uplink.hasDevice(device);
}
