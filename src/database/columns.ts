// The columns of a table, by its entity: properties have the names of their columns, and those of an embedded object stand beside them.

/** `entity` is a new one; `key`, which is internal, is not among them. */
export function columnsOf(entity: object): string[] {
  return Object.entries(entity)
    .filter(([name]) => name !== 'key')
    .flatMap(([name, value]: [string, unknown]) =>
      typeof value === 'object' && value !== null ? Object.keys(value) : [name],
    );
}

/** For a statement that calls a row by this name. */
export function selectList(alias: string, entity: object): string {
  return columnsOf(entity)
    .map((column) => `${alias}.${column}`)
    .join(', ');
}
