// Whether spans of requests, their statements and deliveries are exported: by OpenTelemetry's SDK, which is loaded only when an OTEL_* variable
// names a receiver. Without one there is no span, and nothing to pay for.
import type { IncomingHttpHeaders } from 'node:http';
import type { Logger } from '../logging/logger.js';

/** Routes, statuses, names and ids of ours; never what a caller sent. */
export type SpanFacts = Readonly<Record<string, string | number | undefined>>;

export interface Span {
  readonly traceId: string;
  /** What others link to it by; undefined when it is not recorded. */
  readonly traceparent: string | undefined;
  /** A statement that has just ended; `started` by performance.now(). */
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

export function beginSpan(callersHeaders?: IncomingHttpHeaders, causedBy?: string | null): Span | undefined {
  return spans?.begin(callersHeaders, causedBy);
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
