// The table of settings as texts: .env.example, and the tables in docs/configuration.md.
import type { Setting } from './kinds.js';
import { HEADINGS, SETTINGS } from './settings.js';

const MARKS = ['<!-- settings -->', '<!-- /settings -->'] as const;

/** By their headings. */
const groups = new Map<string, [name: string, setting: Setting<unknown>][]>();
let heading = '';
for (const [name, setting] of Object.entries(SETTINGS)) {
  heading = HEADINGS[name] ?? heading;
  groups.set(heading, [...(groups.get(heading) ?? []), [name, setting]]);
}

export function envExample(): string {
  const parts = [...groups].flatMap(([group, settings]) => [
    `\n# --- ${group} ---`,
    ...settings.flatMap(([name, { description, unset, fallback }]) => [
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
  const tables = [...groups].map(([group, settings]) => {
    const rows = settings.map(([name, { type, description, unset, fallback }]) => [
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
