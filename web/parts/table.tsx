// A list as a real table: on a phone only its looks change.
import type { VNode } from 'preact';
import { useNow } from './when.js';

interface Props<Item> {
  /** Of the style sheet. */
  readonly name: string;
  /** For those who do not see it. */
  readonly caption: string;
  /** Their names, each with its width. */
  readonly columns: Readonly<Record<string, string>>;
  /** Nothing is shown of none. */
  readonly items: readonly Item[] | undefined;
  readonly isBusy?: boolean;
  readonly children: (item: Item, now: number) => VNode;
}

export function Table<Item>({ name, caption, columns, items = [], isBusy, children }: Props<Item>) {
  const now = useNow(30_000);
  if (items.length === 0) return null;
  return (
    <table class={`tanks listing ${name}`} aria-busy={isBusy}>
      <caption class="for-ears">{caption}</caption>
      <Head columns={columns} />
      <tbody>{items.map((item) => children(item, now))}</tbody>
    </table>
  );
}

export function Head({ columns }: Pick<Props<never>, 'columns'>) {
  return (
    <thead>
      <tr>
        {Object.entries(columns).map(([column, width]) => (
          <th key={column} scope="col" style={{ width }}>
            {column}
          </th>
        ))}
      </tr>
    </thead>
  );
}
