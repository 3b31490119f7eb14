// Collects what is wrong with an object that was sent, each fault with its pointer; unknown fields come last.
import { fault } from '../validation/fault.js';
import { isFault, readNumber, readText } from '../fields/field.js';
import { isRecord, unknownField, type FieldFault, type JsonRecord } from '../fields/resource.js';
import { invalidFields } from '../manage/problems.js';
import { quote } from '../problems/quote.js';

export class SentFaults {
  private readonly known: FieldFault[] = [];
  /** By their pointer: a patch and what it leads to may have the same. */
  private readonly unknown = new Map<string, FieldFault>();

  add(pointer: string, reason: string, detail = ''): void {
    this.known.push({ pointer, ...fault(reason, detail) });
  }

  /** '' when it is none. */
  text(pointer: string, value: unknown, bounds: { min?: 0 | 1; max?: number } = { min: 1 }): string {
    const name = nameOf(pointer);
    const read = value === undefined ? fault(`${name} is missing`) : readText(name, value, bounds);
    if (!isFault(read)) return read;
    this.known.push({ pointer, ...read });
    return '';
  }

  /** 0 when it is none. */
  number(pointer: string, value: unknown, bounds: { min?: number; max?: number } = {}): number {
    const name = nameOf(pointer);
    const field = { type: 'number', ...bounds } as const;
    const read = value === undefined ? fault(`${name} is missing`) : readNumber(name, value, field);
    if (!isFault(read)) return read + 0; // makes -0 a plain 0
    this.known.push({ pointer, ...read });
    return 0;
  }

  /** The first one when it is none of them. */
  oneOf<Value extends string>(pointer: string, value: unknown, values: readonly [Value, ...Value[]]): Value {
    const found = values.find((one) => one === value);
    if (found !== undefined) return found;
    const name = nameOf(pointer);
    if (value === undefined) this.add(pointer, `${name} is missing`);
    else this.add(pointer, `${name} must be one of ${values.join(', ')}`, quote(value));
    return values[0];
  }

  /** Undefined when it is none. Its fields must be among the known ones. */
  record(pointer: string, value: unknown, names: readonly string[]): JsonRecord | undefined {
    if (isRecord(value)) {
      this.names(pointer, value, names);
      return value;
    }
    if (value === undefined) this.add(pointer, `${nameOf(pointer)} is missing`);
    else this.add(pointer, `${nameOf(pointer)} must be an object`, quote(value));
    return undefined;
  }

  names(pointer: string, record: JsonRecord, names: readonly string[]): void {
    const prefix = nameOf(`${pointer}/`);
    const known = names.map((name) => prefix + name);
    for (const name of Object.keys(record)
      .filter((one) => !names.includes(one))
      .slice(0, MAX_UNKNOWN)) {
      const place = `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
      this.unknown.set(place, { pointer: place, ...unknownField(prefix + name, known) });
    }
  }

  get count(): number {
    return this.known.length;
  }

  /** In the order of the fields. */
  throwIfAny(fields: readonly string[]): void {
    const place = ({ pointer }: FieldFault): number => fields.indexOf(pointer.split('/', 2)[1] ?? '');
    const faults = [...this.known.toSorted((a, b) => place(a) - place(b)), ...this.unknown.values()];
    if (faults.length > 0) throw invalidFields({ pointers: faults.map(({ pointer }) => pointer) }, faults);
  }
}

/** More than are named. */
const MAX_UNKNOWN = 100;

function nameOf(pointer: string): string {
  return pointer.slice(1).replaceAll('/', '.');
}
