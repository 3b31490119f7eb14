// Customers and tanks as CSV: which of them a header is about, a line of it as the object that NDJSON would have, and the template to fill in.
import { CUSTOMERS } from '../../customers/dto/customer.input.js';
import type { JsonRecord } from '../../common/bodies/record.js';
import { listCsvColumns, type ImportedKind } from '../../common/pagination/columns.js';
import { csvHeader, csvRows } from '../../common/pagination/csv.js';
import { didYouMean } from '../../common/problems/did-you-mean.js';
import { fault, quote } from '../../common/validation/fault.js';
import { columnTypes } from '../../platform/database/columns.js';
import { TANKS } from '../../tanks/dto/tank.input.js';
import type { CsvCell } from '../../telemetry/ingest/csv.js';
import { RefusedLine } from './refusal-log.js';
import { CSV_HEADER } from './write-reading.js';

const LOCATION = 'location_';
const SET_BY_THE_SERVICE = new Set(['created_at', 'updated_at', 'deleted', 'erased', 'key', 'search_text']);
const MAX_NAMED = 10;

export class CsvObjects {
  readonly kind: ImportedKind;
  private readonly defaults: JsonRecord;
  private readonly types: ReturnType<typeof columnTypes>;

  /** Throws with all that is wrong with the header. */
  constructor(private readonly names: readonly string[]) {
    this.kind = detectKind(names);
    const fields = Object.entries<unknown>({ ...new this.kind.entity() });
    const known = listCsvColumns(this.kind.response).map(({ name }) => name);
    const required = fields.filter(([name, first]) => first === undefined && !SET_BY_THE_SERVICE.has(name));
    const mistakes = [
      ...required.filter(([name]) => !names.includes(name)).map(([name]) => `${name} is missing`),
      ...names
        .filter((name) => !known.includes(name))
        .slice(0, MAX_NAMED)
        .map((name) => `unknown column ${quote(name)}; ${didYouMean(name, known)}`),
      ...known
        .filter((name) => names.filter((other) => other === name).length > 1)
        .map((name) => `${name} is there more than once`),
    ];
    if (mistakes.length > 0) throw new Error(`the CSV header: ${mistakes.join('; ')}`);
    this.defaults = Object.fromEntries(fields.filter(([, first]) => first !== undefined));
    this.types = columnTypes(this.kind.entity);
  }

  /** As in a PUT: what is left out gets its default. Undefined for a row of empty cells, which spreadsheets leave behind. */
  read(cells: readonly CsvCell[]): JsonRecord | undefined {
    if (cells.every((cell) => cell === undefined || cell === '')) return undefined;
    if (cells.length !== this.names.length) {
      const reason = `the line must have ${this.names.length} columns, as the header has`;
      throw new RefusedLine(fault(reason, `it has ${cells.length}`));
    }
    const location: Record<string, unknown> = {};
    const record: Record<string, unknown> = { ...this.defaults };
    if (this.kind === TANKS) record['location'] = location;
    for (const [i, name] of this.names.entries()) {
      const isOfLocation = name.startsWith(LOCATION);
      const field = isOfLocation ? name.slice(LOCATION.length) : name;
      const value = this.valueOf(field, cells[i]);
      if (value !== undefined) (isOfLocation ? location : record)[field] = value;
    }
    return record;
  }

  /** A number or boolean as JSON writes it; what is none is left as it is, for the check to refuse. Only texts can be empty. */
  private valueOf(field: string, cell: CsvCell): unknown {
    const type = this.types.get(field);
    if (cell === undefined || (cell === '' && type !== 'text')) return undefined;
    if (type !== 'double precision' && type !== 'integer' && type !== 'boolean') return cell;
    try {
      const value: unknown = JSON.parse(cell);
      return typeof value === (type === 'boolean' ? 'boolean' : 'number') ? value : cell;
    } catch {
      return cell;
    }
  }
}

function detectKind(names: readonly string[]): ImportedKind {
  const [isCustomers, isTanks] = [names.includes('email'), names.includes('owner_id')];
  if (isCustomers !== isTanks) return isCustomers ? CUSTOMERS : TANKS;
  const problem = isCustomers
    ? 'has both email, which makes customers, and owner_id, which makes tanks'
    : `must be ${CSV_HEADER}, or have email for customers or owner_id for tanks ("import --template" prints one)`;
  throw new Error(`the CSV header ${problem}`);
}

/** The one tank is the one customer's. */
const EXAMPLES: Readonly<Record<ImportedKind['table'], object>> = {
  customers: { id: 'C-1001', email: 'office@example.com', name: 'Example Ltd', phone: '+1 206 555 0142' },
  tanks: {
    id: 'T-2001',
    owner_id: 'C-1001',
    name: 'Boiler house',
    assigned_device_id: 'dev-2001',
    capacity: 2700,
    capacity_unit: 'liters',
    use_case: 'commercial',
    location: { city: 'Rotterdam', country: 'Netherlands', latitude: 51.92, longitude: 4.48 },
  },
};

export const TEMPLATES = [CUSTOMERS.table, TANKS.table] as const;

/** All that a person may fill in, with one line to show how. */
export function csvTemplate(table: ImportedKind['table']): string {
  const kind = table === 'tanks' ? TANKS : CUSTOMERS;
  const columns = listCsvColumns(kind.response).filter(
    ({ name }) => !SET_BY_THE_SERVICE.has(name) && !Object.hasOwn(kind.computed, name),
  );
  const example = { ...new kind.entity(), ...EXAMPLES[table] };
  return csvHeader(columns) + csvRows(columns, [example]);
}
