// Rows of one staging table in PostgreSQL's text format of COPY, until they are sent.

export type Cell = string | number | boolean | Date | null | undefined;

const SPECIAL = /[\\\t\n\r]/;
const ESCAPED: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

export class StagedRows {
  private text = '';

  constructor(
    readonly table: string,
    readonly columns: readonly string[],
  ) {}

  get size(): number {
    return this.text.length;
  }

  /** In the order of the columns. */
  add(...cells: readonly Cell[]): void {
    this.text += `${cells.map(asText).join('\t')}\n`;
  }

  /** All rows since the last take. */
  take(): string {
    const { text } = this;
    this.text = '';
    return text;
  }
}

function asText(cell: Cell): string {
  if (cell === null || cell === undefined) return '\\N';
  if (cell instanceof Date) return cell.toISOString();
  const text = String(cell);
  return SPECIAL.test(text) ? text.replaceAll(/[\\\t\n\r]/g, (char) => ESCAPED[char] ?? char) : text;
}
