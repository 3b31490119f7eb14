// Files that are made here, handed over from memory: a plain link could not send the key.

/** So that spreadsheets read names as they are. */
export const BYTE_ORDER_MARK = '\uFEFF';

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

/** As the service writes them (RFC 4180), but safe to open in a spreadsheet. */
export function csvOf(rows: readonly (readonly (string | number | null)[])[]): string {
  return rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('');
}

function cell(value: string | number | null): string {
  const text = typeof value === 'string' ? withoutFormulas(value) : String(value ?? '');
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** An apostrophe before each line that a spreadsheet would run as a formula: names and ids may come from anybody. */
export function withoutFormulas(text: string): string {
  return text.replaceAll(/^("?)(?=[=+\-@\t\r])/gm, "$1'");
}
