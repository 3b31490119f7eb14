// The problems of requests that change customers, tanks, sensors and profiles.
import { Problem, type ProblemCode } from '../problems/problem.js';

/** What is there stands against it. */
export function conflict(code: ProblemCode, detail: string, members: Problem['members'] = {}): Problem {
  return new Problem({ status: 409, code, detail, members });
}

export function preconditionFailed(object: string): Problem {
  const detail = `Nothing was changed: the ${object} is not as If-Match or If-None-Match wants it. Get it again, and decide anew.`;
  return new Problem({ status: 412, code: 'precondition_failed', detail });
}

export function isDeleted(object: string): Problem {
  return conflict('deleted', `This ${object} is deleted; a PUT restores it.`);
}

export function ownerDeleted(): Problem {
  const detail =
    'The owner of this tank is deleted. Restore that customer first, or PUT the tank with another owner.';
  return conflict('owner_deleted', detail);
}

/** `object`: a customer or a tank. */
export function isErased(object: string): Problem {
  return conflict('erased', `This ${object} was erased: nothing is left of it that could be restored.`);
}

/** `tankId`: of the tank that has it; null when the key does not see that one. */
export function deviceTaken(tankId: string | null): Problem {
  const detail =
    'Another tank has this device. Take it from that tank first, or leave assigned_device_id empty.';
  return conflict('device_taken', detail, tankId === null ? {} : { tank_id: tankId });
}

export function ownsTanks(count: number): Problem {
  const detail = 'This customer owns tanks. Delete them or give them to another customer first.';
  return conflict('owns_tanks', detail, { tank_count: count });
}

export function idTaken(): Problem {
  return conflict('id_taken', 'This id is taken. Choose another one.');
}

export function boundKey(
  detail = 'This key is bound to a customer: it may change that one, creates, restores and deletes none, and changes no profile.',
): Problem {
  return new Problem({ status: 403, code: 'bound_key', detail });
}
