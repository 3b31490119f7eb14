// Which of the pages is shown, and the way to the others.
import type { List } from 'tank-monitoring-client';
import { Link } from '../parts/link.js';
import type { Route } from '../route.js';
import { words } from '../words/words.js';

export type Pages = Pick<List<unknown>, 'page' | 'total_pages'>;

interface Props {
  readonly list: Pages;
  readonly route: Route;
  readonly label: string;
}

export function Pager({ list, route, label }: Props) {
  if (list.total_pages <= 1) return null;
  return (
    <nav class="pager" aria-label={label}>
      <Step to={list.page - 1} list={list} route={route}>
        {words.page.previous}
      </Step>
      <span>{words.page.pageOf(list.page, list.total_pages)}</span>
      <Step to={list.page + 1} list={list} route={route}>
        {words.page.next}
      </Step>
    </nav>
  );
}

function Step({ to, list, route, children }: Omit<Props, 'label'> & { to: number; children: string }) {
  if (to < 1 || to > list.total_pages) return <span class="pager-end">{children}</span>;
  return <Link to={{ ...route, page: to }}>{children}</Link>;
}
