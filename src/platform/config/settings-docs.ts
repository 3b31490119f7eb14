// The table of settings as texts: .env.example, and the tables in docs/configuration.md.
import type { Setting } from './kinds.js';
import { GROUPS } from './settings.js';

const groups: Readonly<Record<string, Readonly<Record<string, Setting<unknown>>>>> = GROUPS;
const MARKS = ['<!-- settings -->', '<!-- /settings -->'] as const;

export function envExample(): string {
  const parts = Object.entries(groups).flatMap(([group, settings]) => [
    `\n# --- ${group} ---`,
    ...Object.entries(settings).flatMap(([name, { description, unset, fallback }]) => [
      `# ${description}${unset === undefined ? '' : ` Unset: ${unset}.`}`,
      `${name}=${fallback}`,
    ]),
  ]);
  return [
    '# Every setting, with its default. An empty one counts as unset. What each may be: docs/configuration.md',
    ...parts,
    '',
  ].join('\n');
}

export function withSettingTables(page: string): string {
  const [start, end] = MARKS.map((mark) => page.indexOf(mark));
  if (start === undefined || end === undefined || start < 0 || end < start)
    throw new Error(`The page has no ${MARKS.join(' … ')}.`);
  const tables = Object.entries(groups).map(([group, settings]) => {
    const rows = Object.entries(settings).map(([name, { type, description, unset, fallback }]) => [
      `\`${name}\``,
      type,
      unset === undefined ? `\`${fallback}\`` : `unset: ${unset}`,
      description,
    ]);
    return `### ${group}\n\n${alignedTable([['Setting', 'Value', 'Default', 'Meaning'], ...rows])}`;
  });
  return [page.slice(0, start + MARKS[0].length), ...tables, page.slice(end)].join('\n\n');
}

/** As Prettier would write it. */
function alignedTable(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const [head = [], ...body] = rows;
  return [head, widths.map((width) => '-'.repeat(width)), ...body].map(line).join('\n');
}
