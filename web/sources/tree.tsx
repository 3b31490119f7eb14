// A message as a tree: each of its values is a button, and has the path by which the service finds it.
import { Button } from '../parts/button.js';

export interface Node {
  readonly name: string;
  readonly path: string;
  readonly value: unknown;
  readonly children: readonly Node[];
}

/** As long as a path may be; nor is more of one level shown. */
const LONGEST = 200;
const MOST = 100;
/** Elements of an array are called by one of these, if all have it: their order may change. */
const NAMING = ['name', 'n', 'channel', 'key'];

type Members = Readonly<Record<string, unknown>>;
export const isObject = (value: unknown): value is Members => typeof value === 'object' && value !== null;

export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A text that is JSON is looked into, as the service does. */
export function treeOf(value: unknown, name: string, path = ''): Node {
  const inside = typeof value === 'string' && /^\s*[[{]/.test(value) ? jsonIn(value) : value;
  const parts = Array.isArray(inside)
    ? elementsOf(inside, path)
    : isObject(inside)
      ? membersOf(inside, path)
      : [];
  const reached = parts.slice(0, MOST).filter((part) => part.path.length <= LONGEST);
  return { name, path, value, children: reached.map((part) => treeOf(part.value, part.name, part.path)) };
}

function membersOf(record: Members, path: string) {
  const named = Object.entries(record).filter(([name]) => name !== '');
  return named.map(([name, value]) => {
    const step = name.replaceAll(/[\\.[]/g, String.raw`\$&`);
    return { name, value, path: path === '' ? step : `${path}.${step}` };
  });
}

function elementsOf(elements: readonly unknown[], path: string) {
  const namesBy = (field: string) => elements.map((one) => (isObject(one) ? one[field] : undefined));
  const field = NAMING.find((one) => {
    const names = namesBy(one);
    return names.every((name) => typeof name === 'string') && new Set(names).size === names.length;
  });
  const names = field === undefined ? elements.map((_, i) => i) : namesBy(field);
  return elements.map((value, i) => {
    const name = String(names[i]).replaceAll(/[\\\]]/g, String.raw`\$&`);
    const step = field === undefined ? `[${name}]` : `[${field}=${name}]`;
    return { name: step, value, path: `${path}${step}` };
  });
}

/** The bytes of a payload, each of them a value whose path is its place. */
export function bytesOf(hex: string): readonly Node[] {
  const bytes = (hex.match(/../g) ?? []).slice(0, MOST);
  return bytes.map((value, i) => ({ name: String(i), path: String(i), value, children: [] }));
}

export function nodeAt(tree: Node, path: string): Node | undefined {
  if (tree.path === path) return tree;
  return tree.children.map((child) => nodeAt(child, path)).find((found) => found !== undefined);
}

/** What stands beside the value at this path. */
export function besideIn(tree: Node, path: string): readonly Node[] {
  if (tree.children.some((child) => child.path === path)) return tree.children;
  return tree.children.map((child) => besideIn(child, path)).find((found) => found.length > 0) ?? [];
}

interface Props {
  readonly nodes: readonly Node[];
  /** What a value was chosen for. */
  readonly markOf: (path: string) => string | undefined;
  readonly onChoose: (path: string) => void;
}

export function Tree({ nodes, markOf, onChoose }: Props) {
  return (
    <ul class="tree">
      {nodes.map(({ name, path, value, children }) => (
        <li key={path}>
          <Button aria-pressed={markOf(path) !== undefined} onClick={() => onChoose(path)}>
            <span class="second">{name}</span> {shown(value)} <strong>{markOf(path)}</strong>
          </Button>
          {children.length > 0 && <Tree nodes={children} markOf={markOf} onChoose={onChoose} />}
        </li>
      ))}
    </ul>
  );
}

function shown(value: unknown): string {
  if (Array.isArray(value)) return '[…]';
  return isObject(value) ? '{…}' : String(value).slice(0, LONGEST);
}
