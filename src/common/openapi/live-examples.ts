// In the demo, the examples of the served document are ids and devices of its database and times of today, so that "Try it out"
// and Execute show data. Operations that write one object keep the ids of the document: the demo has objects for them.
import type { OpenAPIObject } from '@nestjs/swagger';
import { listOperations } from './formats.js';

export interface LiveExamples {
  /** An id for each collection of the paths: `tanks` for /v1/tanks/{id} and for /v1/fleet/tanks/{id}. */
  readonly ids: Readonly<Record<string, string>>;
  /** What a request body may name. */
  readonly reading: { readonly tank_id: string; readonly device_id: string };
}

const MINUTE_MS = 60_000;

/** A new document; the one given stays as it is. */
export function withLiveExamples(document: OpenAPIObject, examples: LiveExamples, now: Date): OpenAPIObject {
  const live = structuredClone(document);
  for (const [path, item] of Object.entries(live.paths)) {
    const names = path.split('/');
    const id = examples.ids[names[names.indexOf('{id}') - 1] ?? ''];
    for (const operation of listOperations({ ...live, paths: { [path]: item } })) {
      const isRead = operation === item.get;
      for (const parameter of operation.parameters ?? []) {
        if (isRead && id !== undefined && 'in' in parameter && parameter.in === 'path')
          parameter.schema = { type: 'string', example: id };
      }
      const body = operation.requestBody;
      if (body !== undefined) operation.requestBody = replaced(body, replacements(body, examples, now));
    }
  }
  return live;
}

/** For each tank, device and time in the examples of a body, what stands for it now. Times go back minute by minute. */
function replacements(body: unknown, { reading }: LiveExamples, now: Date): Map<string, string> {
  const found = new Map<string, string>();
  let minutes = 0;
  for (const [name, value] of namedTexts(body)) {
    if (found.has(value) || value.startsWith('example-')) continue; // the demo has those
    if (name === 'tank_id' || name === 'device_id') found.set(value, reading[name]);
    if (name !== 'created_at') continue;
    found.set(value, new Date(now.getTime() - minutes * MINUTE_MS).toISOString());
    minutes += 1;
  }
  return found;
}

function* namedTexts(value: unknown): Generator<[name: string, text: string]> {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    if (typeof inner === 'string') yield [name, inner];
    else yield* namedTexts(inner);
  }
}

/** Inside longer texts too: the lines of CSV and NDJSON. */
function replaced<T>(value: T, changes: ReadonlyMap<string, string>): T {
  const text = JSON.stringify(value);
  return JSON.parse([...changes].reduce((all, [from, to]) => all.replaceAll(from, to), text)) as T;
}
