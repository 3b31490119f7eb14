// Metrics of the process, for Prometheus. Nothing is measured unless METRICS_PORT is set.
import { Global, Inject, Injectable, Module, Optional } from '@nestjs/common';
import type { OnApplicationShutdown, OnModuleInit } from '@nestjs/common';
import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { Pool } from 'pg';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { CONFIG, type Config } from '../config/config.js';
import { PRIMARY_POOL } from '../database/pool.js';
import { Standbys } from '../database/standbys.js';
import { logOutput } from '../logging/log-output.js';
import { VERSION } from '../config/project.js';
import { Busiest } from './busiest.js';

const DELIVERY_OUTCOMES = ['delivered', 'retried', 'failed'] as const;
export type DeliveryOutcome = (typeof DELIVERY_OUTCOMES)[number];

/** By name: what is counted, and by which labels. */
const COUNTERS = {
  http_invalid_requests_total: ['What was sent instead of an HTTP request, and refused.'],
  api_key_refusals_total: ['Requests refused for their API key.', 'reason'],
  api_key_requests_total: ['Requests by key: the 50 busiest, and the others together.', 'key'],
  ingested_readings_total: ['Readings that were sent.', 'outcome'],
  readings_refused_total: ['Readings that were refused.', 'reason'],
  webhook_deliveries_total: ['Tries to deliver an event.', 'outcome'],
  webhook_endpoint_deliveries_total: [
    'Tries to deliver an event, by endpoint: the 50 busiest, and the others together.',
    'webhook',
    'outcome',
  ],
  mails_total: ['Tries to send a mail.', 'kind', 'outcome'],
  uplinks_total: ['Messages of network servers that were received.', 'source', 'outcome'],
  uplinks_dropped_total: [
    'Uplinks that were removed from a quarantine that was full, or because they were too old.',
  ],
  mqtt_messages_total: ['Messages of MQTT that were acknowledged.', 'source', 'outcome'],
  mqtt_qos0_messages_total: [
    'Messages of MQTT that were published with QoS 0, which can be lost on the way.',
  ],
} as const satisfies Record<string, readonly [help: string, ...labels: string[]]>;

type CounterName = keyof typeof COUNTERS;
type Labels<Name extends CounterName> = (typeof COUNTERS)[Name] extends readonly [string, ...infer Label]
  ? Readonly<Record<Extract<Label[number], string>, string>>
  : never;

const DATABASE_SIZE = 'select pg_database_size(current_database())::float8 as bytes';

type Figures = number | Readonly<Record<string, number>>;

@Injectable()
export class Metrics implements OnModuleInit, OnApplicationShutdown {
  readonly isOn: boolean;
  private readonly registry = new Registry();
  private server: Server | undefined;

  private readonly durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'How long requests took, by route and status.',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [this.registry],
  });

  private readonly counters = new Map<string, Counter>(
    Object.entries(COUNTERS).map(([name, [help, ...labelNames]]) => [
      name,
      new Counter({ name, help, labelNames, registers: [this.registry] }),
    ]),
  );

  private readonly busiestKeys = new Busiest((key) =>
    this.counters.get('api_key_requests_total')?.remove({ key }),
  );
  private readonly busiestEndpoints = new Busiest((webhook) => {
    const counter = this.counters.get('webhook_endpoint_deliveries_total');
    for (const outcome of DELIVERY_OUTCOMES) counter?.remove({ webhook, outcome });
  });

  private readonly writes = new Histogram({
    name: 'ingest_write_requests',
    help: 'How many requests were written together.',
    buckets: [1, 2, 5, 10, 20, 50, 100, 200, 500],
    registers: [this.registry],
  });

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    @Inject(PRIMARY_POOL) private readonly pool: Pool,
    /** The `worker` command has none. */
    @Optional() private readonly standbys?: Standbys,
  ) {
    this.isOn = config.metricsPort !== undefined;
    this.describePool(); // first of all: read before what else is read at a scrape asks for connections
  }

  /** `key`: the prefix of a valid one. */
  observeRequest(
    method: string,
    route: string,
    status: number,
    milliseconds: number,
    key: string | undefined,
  ): void {
    this.durations.observe({ method, route, status }, milliseconds / 1000);
    if (key !== undefined) this.count('api_key_requests_total', { key: this.busiestKeys.labelFor(key) });
  }

  count<Name extends CounterName>(name: Name, labels: Labels<Name>, n = 1): void {
    if (this.isOn && n > 0) this.counters.get(name)?.inc(labels, n);
  }

  observeWrite(requests: number): void {
    if (this.isOn) this.writes.observe(requests);
  }

  countDelivery(outcome: DeliveryOutcome, webhook: string): void {
    if (!this.isOn) return;
    this.count('webhook_deliveries_total', { outcome });
    const label = this.busiestEndpoints.labelFor(webhook);
    this.count('webhook_endpoint_deliveries_total', { webhook: label, outcome });
  }

  /** Read whenever Prometheus asks: one number, or one for each value of a label. Left out while it cannot be read. */
  gauge(name: string, help: string, read: () => Figures | Promise<Figures>, label = 'type'): void {
    if (!this.isOn) return;
    const gauge: Gauge = new Gauge({
      name,
      help,
      labelNames: [label],
      registers: [],
      collect: async () => {
        gauge.reset();
        const figures = await Promise.resolve(read()).catch(() => ({}));
        if (typeof figures === 'number') gauge.set(figures);
        else for (const [value, n] of Object.entries(figures)) gauge.set({ [label]: value }, n);
      },
    });
    this.registry.registerMetric(gauge);
  }

  async onModuleInit(): Promise<void> {
    if (!this.isOn) return;
    collectDefaultMetrics({ register: this.registry });
    if (this.standbys?.areNone === false) this.describeStandbys(this.standbys);
    this.gauge('database_size_bytes', 'Size of the database on its disk.', async () => {
      const { rows } = await this.pool.query<{ bytes: number }>(DATABASE_SIZE);
      return rows[0]?.bytes ?? {};
    });
    new Gauge({
      name: 'build_info',
      help: 'The running version.',
      labelNames: ['version', 'node'],
      registers: [this.registry],
    }).set({ version: VERSION, node: process.version }, 1);
    const droppedLines = new Counter({
      name: 'log_lines_dropped_total',
      help: 'Log lines that could not be written: a full disk, or a pipe that nobody reads.',
      registers: [],
      collect() {
        this.reset();
        this.inc(logOutput.dropped);
      },
    });
    this.registry.registerMetric(droppedLines);
    await this.listen();
  }

  onApplicationShutdown(): void {
    this.server?.close();
    this.server?.closeAllConnections();
  }

  private describePool(): void {
    const { pool } = this;
    const inUse = (): number => pool.totalCount - pool.idleCount;
    this.gauge('database_pool_connections_in_use', 'Connections serving a request.', inUse);
    this.gauge('database_pool_connections', 'Open connections.', () => pool.totalCount);
    const waiting = 'Requests, or groups of up to four, waiting for a connection.';
    this.gauge('database_pool_requests_waiting', waiting, () => pool.waitingCount);
    this.gauge('database_pool_size', 'Maximum number of connections.', () => pool.options.max);
  }

  /** By their place in DATABASE_READ_URLS. */
  private describeStandbys(standbys: Standbys): void {
    const lags = (): Figures =>
      Object.fromEntries(
        standbys.report().flatMap(({ standby, lag_seconds: lag }) => (lag === null ? [] : [[standby, lag]])),
      );
    const inUse = (): Figures =>
      Object.fromEntries(standbys.report().map(({ standby, in_use }) => [standby, Number(in_use)]));
    this.gauge('database_replication_lag_seconds', 'Maximum replication lag of a standby.', lags, 'standby');
    this.gauge('database_standby_in_use', 'Whether reads go to a standby.', inUse, 'standby');
  }

  private async listen(): Promise<void> {
    this.server = createServer((request, response) => {
      const path = request.url?.split('?', 1)[0];
      // A worker listens nowhere else: where its supervisor asks whether it is alive, with the database or without.
      if (path !== '/metrics') {
        response.writeHead(path === '/health/live' ? 200 : 404).end();
        return;
      }
      this.registry.metrics().then(
        (text) => response.writeHead(200, { 'Content-Type': this.registry.contentType }).end(text),
        () => response.writeHead(500).end(),
      );
    });
    const { metricsPort, metricsHost } = this.config;
    this.server.listen(metricsPort, metricsHost);
    await once(this.server, 'listening').catch((error: Error) => {
      throw new Error(`METRICS_PORT ${metricsPort} on ${metricsHost} cannot be used: ${error.message}`, {
        cause: error,
      });
    });
    // A scrape that cannot be accepted does not end the process.
    this.server.on('error', () => undefined);
  }
}

@Global()
@Module({ providers: [Metrics], exports: [Metrics] })
export class MetricsModule {}
