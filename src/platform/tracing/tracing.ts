// Whether spans of requests, their statements and deliveries are exported: by OpenTelemetry's SDK, which is loaded only when an OTEL_* variable
// names a receiver. Without one there is no span, and nothing to pay for: AsyncLocalStorage, by which a statement finds the request that it
// is for, costs a small read a quarter on Node 20, but only from its first run().
import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingHttpHeaders } from 'node:http';
import type { Logger } from '../logging/logger.js';

/** Routes, statuses, names and ids of ours; never what a caller sent. */
export type SpanFacts = Readonly<Record<string, string | number | undefined>>;

export interface Span {
  readonly traceId: string;
  /** What others link to it by; undefined when it is not recorded. */
  readonly traceparent: string | undefined;
  /** Its statements, waits for a connection included; those at the same time count once. */
  readonly databaseMs: number;
  /** For something that began then, by performance.now(), and has ended now. */
  addDatabaseTime(started: number): void;
  /** A statement that has just ended. */
  addStatement(name: string, started: number, hasFailed: boolean): void;
  end(name: string, facts: SpanFacts, hasFailed: boolean): void;
}

export interface SpanExport {
  /** Of what a caller asks for, with the headers that may name its trace; or of what the service asks of others, with the traceparent of its cause. */
  begin(callersHeaders?: IncomingHttpHeaders, causedBy?: string | null): Span;
  /** Sends what is left, for a moment. Resolves to whether all was sent. */
  stop(): Promise<boolean>;
}

let spans: SpanExport | undefined;
const current = new AsyncLocalStorage<Span | undefined>();

export function beginSpan(callersHeaders?: IncomingHttpHeaders, causedBy?: string | null): Span | undefined {
  return spans?.begin(callersHeaders, causedBy);
}

/** Of the request that is being answered. */
export function currentSpan(): Span | undefined {
  return current.getStore();
}

/** Whatever the work begins, also after waiting, is of this span; without one, of none. */
export function inSpan<T>(span: Span | undefined, work: () => T): T {
  return spans === undefined ? work() : current.run(span, work);
}

export async function startTracing(logger: Logger): Promise<void> {
  if (!isAskedFor(process.env)) return;
  const { exportSpans } = await import('./open-telemetry.js');
  spans = exportSpans(logger);
}

export async function stopTracing(): Promise<boolean> {
  return (await spans?.stop()) ?? true;
}

function isAskedFor(environment: NodeJS.ProcessEnv): boolean {
  const value = (name: string): string => environment[name]?.trim().toLowerCase() ?? '';
  if (value('OTEL_SDK_DISABLED') === 'true' || value('OTEL_TRACES_EXPORTER') === 'none') return false;
  return value('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT') !== '' || value('OTEL_EXPORTER_OTLP_ENDPOINT') !== '';
}
