// Rows as CSV (RFC 4180): CRLF, a header always, texts exactly as they are. Null is an empty cell, the empty text is "".
import type { Column } from './columns.js';

export function writeCsv(columns: readonly Column[], items: readonly object[]): string {
  return csvHeader(columns) + csvRows(columns, items);
}

export function csvHeader(columns: readonly Column[]): string {
  return `${columns.map(({ name }) => name).join(',')}\r\n`;
}

export function csvRows(columns: readonly Column[], items: readonly object[]): string {
  let text = '';
  for (const item of items) {
    let separator = '';
    for (const { valueIn } of columns) {
      text += separator + csvCell(valueIn(item));
      separator = ',';
    }
    text += '\r\n';
  }
  return text;
}

const NEEDS_QUOTES = /[",\r\n]/;

export function csvCell(value: unknown): string {
  if (typeof value === 'string') return value === '' || NEEDS_QUOTES.test(value) ? quoted(value) : value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (value === null || value === undefined) return '';
  return quoted(JSON.stringify(value));
}

function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}
