// Fields owned by the service. Clients may echo them back: correct values are accepted, the rest ignored or refused.
import { applyDecorators, type Type } from '@nestjs/common';
import { Allow } from 'class-validator';
import { fault, quote } from './fault.js';
import { fieldFault, type FieldFault } from './field-mistakes.js';
import { fieldRule, IsExactly, IsInstant, IsText, IsTrueOrFalse, MayBeLeftOut } from './field-rules.js';
import { AHEAD, ID, isAhead, textFault } from './values.js';

/** For PartialType, which would let null pass for what may be left out. */
export const NOT_NULL = { skipNullProperties: false };

/** Of the address; a body may repeat it. It is put into the body when that is read. */
export class AddressId {
  constructor(
    readonly id: string,
    /** What the body says; undefined when it says nothing. */
    readonly sent: unknown,
    /** Whether an object may get it. If false, an impossible id is a 404, not a 400. */
    readonly mayBeNew: boolean,
  ) {}
}

const IsOwnId = () =>
  fieldRule('isOwnId', (value) => {
    if (!(value instanceof AddressId)) {
      const advice = 'is made by the service; to choose it yourself, PUT the object to its address';
      return fault(advice, quote(value));
    }
    if (value.sent !== undefined && value.sent !== value.id)
      return fault('must be that of the address', quote(value.sent));
    return value.mayBeNew ? textFault(value.id, ID) : undefined;
  });

/** It may be chosen for a new object, and then stays. `stored`: of what is there, deleted or not. */
export function createdAtFaults(sent: Date | undefined, stored: Date | undefined): FieldFault[] {
  if (sent === undefined) return [];
  if (stored === undefined)
    return isAhead(sent.getTime(), Date.now()) ? [fieldFault('created_at', AHEAD, quote(sent))] : [];
  if (sent.getTime() === stored.getTime()) return [];
  return [fieldFault('created_at', 'must stay as it is', stored.toISOString())];
}

/** When the object was created. Whether it may be so under an address depends on what is stored there. */
export const IsCreationTime = (): PropertyDecorator =>
  applyDecorators(
    MayBeLeftOut(),
    IsInstant(),
    fieldRule('isCreationTime', (value, object) => {
      const isNew = !('id' in object && object.id instanceof AddressId);
      const isTooNew = isNew && value instanceof Date && isAhead(value.getTime(), Date.now());
      return isTooNew ? fault(AHEAD, quote(value)) : undefined;
    }),
  );

/** Of a line of a file, which is the whole object. */
export class ReadOnlyFieldsOfLine {
  @IsText(ID)
  id: string;

  @MayBeLeftOut()
  @IsInstant()
  created_at?: Date;

  @MayBeLeftOut()
  @IsTrueOrFalse()
  deleted?: boolean;

  @MayBeLeftOut()
  @IsInstant()
  updated_at?: Date;
}

/** A class of fields that a patch may hold because they were read: nothing is checked of them here. */
export function MayRepeat<Name extends string>(
  ...names: readonly Name[]
): Type<{ [name in Name]?: unknown }> {
  class Repeated {}
  for (const name of names) Allow()(Repeated.prototype, name);
  return Repeated;
}

/** Of a body. */
export class ReadOnlyFields {
  @MayBeLeftOut()
  @IsOwnId()
  id?: AddressId;

  @Allow()
  updated_at?: unknown;

  @MayBeLeftOut()
  @IsExactly(false, ' or left out, a DELETE deletes')
  deleted?: false;
}
