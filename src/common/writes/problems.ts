// The problems of requests that change customers, tanks, sensors and profiles.
import { Problem } from '../problems/problem.js';

export function preconditionFailed(object: string): Problem {
  const detail = `Nothing was changed: the ${object} is not as If-Match or If-None-Match wants it. Get it again, and decide anew.`;
  return new Problem({ status: 412, code: 'precondition_failed', detail });
}

export function isDeleted(object: string): Problem {
  const detail = `This ${object} is deleted; a PUT restores it.`;
  return new Problem({ status: 409, code: 'deleted', detail });
}

export function ownerDeleted(): Problem {
  const detail =
    'The owner of this tank is deleted. Restore that customer first, or PUT the tank with another owner.';
  return new Problem({ status: 409, code: 'owner_deleted', detail });
}

/** `object`: a customer or a tank. */
export function isErased(object: string): Problem {
  const detail = `This ${object} was erased: nothing is left of it that could be restored.`;
  return new Problem({ status: 409, code: 'erased', detail });
}

/** `tankId`: of the tank that has it; null when the key does not see that one. */
export function deviceTaken(tankId: string | null): Problem {
  const detail =
    'Another tank has this device. Take it from that tank first, or leave assigned_device_id empty.';
  const members = tankId === null ? {} : { tank_id: tankId };
  return new Problem({ status: 409, code: 'device_taken', detail, members });
}

export function ownsTanks(count: number): Problem {
  const detail = 'This customer owns tanks. Delete them or give them to another customer first.';
  return new Problem({ status: 409, code: 'owns_tanks', detail, members: { tank_count: count } });
}

export function idTaken(): Problem {
  return new Problem({ status: 409, code: 'id_taken', detail: 'This id is taken. Choose another one.' });
}

export function boundKey(
  detail = 'This key is bound to a customer: it may change that one, creates, restores and deletes none, and changes no profile.',
): Problem {
  return new Problem({ status: 403, code: 'bound_key', detail });
}
