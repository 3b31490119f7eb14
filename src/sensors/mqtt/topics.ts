// Which topics a filter means, as MQTT defines it.

/** Wildcards of the first level never mean a broker's own topics, which begin with "$". */
export function matches(filter: string, topic: string): boolean {
  if (topic.startsWith('$') && /^[+#]/.test(filter)) return false;
  const [wanted, levels] = [filter.split('/'), topic.split('/')];
  const isOpen = wanted.at(-1) === '#';
  const fixed = isOpen ? wanted.slice(0, -1) : wanted;
  // "a/#" also means "a".
  const fits = isOpen ? levels.length >= fixed.length : levels.length === fixed.length;
  return fits && fixed.every((level, i) => (level === '+' ? levels[i] !== '#' : level === levels[i]));
}

/** Without those that another one includes: brokers send a message once for each subscription that it matches. */
export function widest(filters: readonly string[]): string[] {
  const all = [...new Set(filters)];
  return all.filter((filter) => !all.some((other) => other !== filter && includes(other, filter)));
}

function includes(wide: string, narrow: string): boolean {
  return matches(wide, narrow) && (wide.endsWith('#') || !narrow.endsWith('#'));
}

/** What the first "+" of a filter stands for in a topic that matches it. */
export function firstWildLevel(filter: string, topic: string): string | undefined {
  const place = filter.split('/').indexOf('+');
  return place < 0 ? undefined : topic.split('/')[place];
}

/** What the "+" of a filter stands for that follows a level of this name in a topic that matches it. */
export function wildLevelAfter(name: string, filter: string, topic: string): string | undefined {
  const [wanted, levels] = [filter.split('/'), topic.split('/')];
  return levels.find((_, i) => levels[i - 1] === name && wanted[i] === '+');
}
