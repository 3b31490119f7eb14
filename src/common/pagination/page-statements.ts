// The statements of lists, newest first: one gives a page and, on each of its rows, the total. Their parameters begin with the
// range ($1, $2), how many rows come before the page ($3) and its size ($4).
import type { Statement } from '../../platform/database/reads.js';

export interface Listed {
  readonly table: string;
  /** What `columns` call a row. */
  readonly alias: string;
  readonly columns: string;
}

/** Those of several ids: `$1` is a JSON array of them. */
export function byIds(name: string, { table, alias, columns }: Listed, condition: string): Statement {
  return {
    name,
    text: `
      select ${columns} from ${table} ${alias}
      where id = any (array(select value collate "C" from json_array_elements_text($1::json))) and ${condition}`,
  };
}

/** A list that is counted by day: `locate` looks up its total and where the page begins, however deep that is. */
export function pageOfCounted(name: string, listed: Listed, locate: string, condition: string): Statement {
  return pageStatement(name, listed, {
    total: locate,
    rows: `${condition} and created_at >= $1 and created_at < page.newest`,
    passed: 'page.passed',
  });
}

/** Few rows meet the condition: an index of their own finds them, and counting them is cheap. */
export function pageOfFew(name: string, listed: Listed, condition: string): Statement {
  const rows = `${condition} and created_at >= $1 and created_at < $2`;
  const total = `(select count(*) as total from ${listed.table} where ${rows})`;
  return pageStatement(name, listed, { total, rows, passed: '$3' });
}

function pageStatement(
  name: string,
  { table, alias, columns }: Listed,
  { total, rows, passed }: { total: string; rows: string; passed: string },
): Statement {
  return {
    name,
    text: `
      select page.total, ${columns}
      from ${total} page
      left join lateral (
        select * from ${table} where ${rows}
        order by created_at desc, id desc offset ${passed} limit $4
      ) ${alias} on true
      order by ${alias}.created_at desc, ${alias}.id desc`,
  };
}
