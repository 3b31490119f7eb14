// A box that chooses a tank, or several at once. What is chosen is in the address.
import { Tickable } from '../form/inputs.js';
import { usePage } from '../page.js';
import { go } from '../route.js';

interface Props {
  readonly label: string;
  readonly ids: readonly string[];
  readonly ticked: ReadonlySet<string>;
  /** With Shift, all of these from the one that was ticked last. */
  readonly among?: readonly string[] | undefined;
  readonly class?: string;
}

let last = '';

export function Tick({ label, ids, ticked, among = [], class: look }: Props) {
  const { route } = usePage();
  const isAll = ids.every((id) => ticked.has(id));
  const tick = ({ shiftKey }: MouseEvent) => {
    const [from = 0, to = 0] = [last, ids[0] ?? ''].map((id) => among.indexOf(id)).toSorted((a, b) => a - b);
    const them = new Set(shiftKey && from >= 0 ? among.slice(from, to + 1) : ids);
    const others = route.chosen.filter((id) => !them.has(id));
    last = ids[0] ?? '';
    go({ ...route, chosen: isAll ? others : [...others, ...them] }, { replace: true });
  };
  return (
    <Tickable
      type="checkbox"
      class={look}
      aria-label={label}
      checked={isAll}
      indeterminate={!isAll && ids.some((id) => ticked.has(id))}
      onClick={tick}
    />
  );
}
