// What the OpenAPI document says of the operations that write tanks.
import { deviceTaken, idTaken } from '../manage/problems.js';
import { TankInput, TankPatch } from './dto/tank.input.js';
import { DeletedTankResponse, TankResponse } from './dto/tank.response.js';

const TANK = { object: 'tank', scope: 'tanks:write', response: TankResponse } as const;
const EXAMPLE = {
  name: 'Boiler house',
  owner_id: 'example-customer',
  capacity: 2700,
  capacity_unit: 'liters',
  use_case: 'commercial',
  location: { city: 'Rotterdam', country: 'Netherlands' },
};
const DEVICE = '`device_taken`: another tank has this device.';

export const CREATE_TANK = {
  ...TANK,
  operationId: 'createTank',
  summary: 'Create a tank',
  description:
    'The service makes its id. If the answer is lost, nobody knows whether the tank was created: a PUT under an id of your own can be repeated.',
  body: { type: TankInput, example: EXAMPLE },
  conflicts: { description: DEVICE, example: deviceTaken('019b7a6e-31c8-7f10-8a3e-0d6f1b2c3d4e') },
};

export const PUT_TANK = {
  ...TANK,
  operationId: 'putTank',
  summary: 'Create, replace or restore a tank',
  description: 'Under an id of your own, and as often as you like. What is left out gets its default.',
  body: { type: TankInput, example: { ...EXAMPLE, assigned_device_id: 'dev-of-the-example' } },
  conflicts: {
    description: `${DEVICE} \`id_taken\`: the id is that of a tank your key does not see.`,
    example: idTaken(),
  },
};

export const PATCH_TANK = {
  ...TANK,
  operationId: 'patchTank',
  summary: 'Change a tank',
  description:
    'A merge patch (RFC 7396): the given fields change, null clears what may be null, all others stay.',
  body: { type: TankPatch, example: { min_fill_alert_percentage: 25, location: { city: 'Rotterdam' } } },
  conflicts: {
    description: `${DEVICE} \`deleted\`: the tank is deleted; a PUT restores it.`,
    example: deviceTaken('019b7a6e-31c8-7f10-8a3e-0d6f1b2c3d4e'),
  },
};

export const DELETE_TANK = {
  ...TANK,
  response: DeletedTankResponse,
  exampleId: 'old-tank',
  operationId: 'deleteTank',
  summary: 'Delete a tank',
  description: 'Its readings and events stay, its device is free. Deleting it again is the same answer.',
};
