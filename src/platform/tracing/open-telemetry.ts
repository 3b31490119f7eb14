// Spans by OpenTelemetry's SDK, sent over OTLP/HTTP. The SDK reads the OTEL_* variables itself. Whatever the receiver does, requests go on: spans
// wait in a bounded queue, and what cannot be sent is dropped.
import { diag, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { Context, Link, Span as OtelSpan } from '@opentelemetry/api';
import { setGlobalErrorHandler, W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor, type SpanExporter } from '@opentelemetry/sdk-trace-base';
import type { IncomingHttpHeaders } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { VERSION } from '../config/project.js';
import { describeFailure } from '../database/failures.js';
import type { Logger } from '../logging/logger.js';
import type { Span, SpanExport, SpanFacts } from './tracing.js';

const SERVICE = 'tank-monitoring';

/** For the last spans, when the process ends. */
const FLUSH_MS = 500;
/** There is a warning at most this often. */
const WARN_EVERY_MS = 60_000;

const STATEMENT = { kind: SpanKind.CLIENT, attributes: { 'db.system.name': 'postgresql' } };

const callers = new W3CTraceContextPropagator();
const headerGetter = {
  get: (headers: IncomingHttpHeaders, name: string) => headers[name],
  keys: (headers: IncomingHttpHeaders) => Object.keys(headers),
};

export function exportSpans(logger: Logger): SpanExport {
  warnOfFailures(logger);
  const provider = new BasicTracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes({ 'service.name': SERVICE, 'service.version': VERSION }))
      .merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor(makeExporter())],
  });
  const tracer = provider.getTracer(SERVICE, VERSION);
  return {
    begin(headers, causedBy) {
      const context =
        headers === undefined ? ROOT_CONTEXT : callers.extract(ROOT_CONTEXT, headers, headerGetter);
      const kind = headers === undefined ? SpanKind.CLIENT : SpanKind.SERVER;
      return wrapSpan(
        tracer.startSpan('', { kind, links: linksTo(causedBy) }, context),
        (name, started, parent) => tracer.startSpan(name, { ...STATEMENT, startTime: started }, parent),
      );
    },
    stop() {
      const sent = provider.shutdown().then(
        () => true,
        () => false,
      );
      return Promise.race([sent, wait(FLUSH_MS, false)]);
    },
  };
}

/** None when it is no traceparent. */
function linksTo(traceparent: string | null | undefined): Link[] {
  if (!traceparent) return [];
  const context = trace.getSpanContext(callers.extract(ROOT_CONTEXT, { traceparent }, headerGetter));
  return context === undefined ? [] : [{ context }];
}

type StartStatement = (name: string, started: number, parent: Context) => OtelSpan;

function wrapSpan(span: OtelSpan, startStatement: StartStatement): Span {
  const { traceId, spanId } = span.spanContext();
  const context = trace.setSpan(ROOT_CONTEXT, span);
  let databaseMs = 0;
  let countedUntil = 0;
  const addDatabaseTime = (started: number): void => {
    const now = performance.now();
    databaseMs += now - Math.max(started, countedUntil);
    countedUntil = now;
  };
  return {
    traceId,
    traceparent: span.isRecording() ? `00-${traceId}-${spanId}-01` : undefined,
    get databaseMs() {
      return databaseMs;
    },
    addDatabaseTime,
    addStatement(name, started, hasFailed) {
      addDatabaseTime(started);
      // Not once it has ended: timers that it began run on.
      if (span.isRecording()) endSpan(startStatement(name, started, context), {}, hasFailed);
    },
    end(name, facts, hasFailed) {
      endSpan(span.updateName(name), facts, hasFailed);
    },
  };
}

/** Without a message: it may quote values. */
function endSpan(span: OtelSpan, facts: SpanFacts, hasFailed: boolean): void {
  for (const [name, value] of Object.entries(facts)) if (value !== undefined) span.setAttribute(name, value);
  if (hasFailed) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}

/** JSON, unless OTEL_EXPORTER_OTLP_PROTOCOL asks for protobuf. */
function makeExporter(): SpanExporter {
  const { OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: ofTraces, OTEL_EXPORTER_OTLP_PROTOCOL: ofAll } = process.env;
  return (ofTraces || ofAll)?.trim() === 'http/protobuf' ? new ProtobufExporter() : new JsonExporter();
}

/** Whatever the SDK objects to: settings, and receivers that are away. */
function warnOfFailures(logger: Logger): void {
  let quietUntil = 0;
  const warn = (reason: string): void => {
    if (performance.now() < quietUntil) return;
    quietUntil = performance.now() + WARN_EVERY_MS;
    logger.warn({ reason }, 'tracing does not work as it should; requests go on');
  };
  diag.setLogger({ error: warn, warn, info: ignore, debug: ignore, verbose: ignore });
  setGlobalErrorHandler((error) => warn(describeFailure(error)));
}

function ignore(): void {}
