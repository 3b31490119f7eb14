// Files that are made here, handed over from memory: a plain link could not send the key.

/** So that spreadsheets read names as they are. */
const BYTE_ORDER_MARK = '\uFEFF';

/** Names of tanks are not unique; their ids are. */
export function fileName(parts: readonly string[]): string {
  return `${parts
    .join(' ')
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .toLowerCase()}.csv`;
}

export function save(content: readonly string[], name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([...content], { type: 'text/csv;charset=utf-8' }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

/** A table with a row for each record, under the names of all their fields. */
export function saveTable(records: readonly Readonly<Record<string, Cell>>[], name: readonly string[]): void {
  const columns = [...new Set(records.flatMap((record) => Object.keys(record)))];
  const rows = records.map((record) => columns.map((column) => record[column] ?? null));
  save([BYTE_ORDER_MARK, csvOf([columns, ...rows])], fileName(name));
}

type Cell = string | number | null;

/** As the service writes them (RFC 4180), but safe to open in a spreadsheet. */
export function csvOf(rows: readonly (readonly Cell[])[]): string {
  return rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('');
}

function cell(value: Cell): string {
  const text = typeof value === 'string' ? withoutFormulas(value) : String(value ?? '');
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** An apostrophe before each line that a spreadsheet would run as a formula: names and ids may come from anybody. */
export function withoutFormulas(text: string): string {
  return text.replaceAll(/^("?)(?=[=+\-@\t\r])/gm, "$1'");
}
