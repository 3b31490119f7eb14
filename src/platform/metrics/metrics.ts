// Metrics of the process, for Prometheus. Nothing is measured unless METRICS_PORT is set.
import { Inject, Injectable, Optional, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
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
export type MailOutcome = 'sent' | 'retried' | 'failed';

const READING_OUTCOMES = ['created', 'updated', 'unchanged', 'superseded', 'refused'] as const;

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

  private readonly invalidRequests = this.counter(
    'http_invalid_requests_total',
    'What was sent instead of an HTTP request, and refused.',
  );
  private readonly refusedKeys = this.counter(
    'api_key_refusals_total',
    'Requests refused for their API key.',
    'reason',
  );
  private readonly keyRequests = this.counter(
    'api_key_requests_total',
    'Requests by key: the 50 busiest, and the others together.',
    'key',
  );
  private readonly busiestKeys = new Busiest((key) => this.keyRequests.remove({ key }));
  private readonly readings = this.counter('ingested_readings_total', 'Readings that were sent.', 'outcome');
  private readonly refusedReadings = this.counter(
    'readings_refused_total',
    'Readings that were refused.',
    'reason',
  );
  private readonly deliveries = this.counter(
    'webhook_deliveries_total',
    'Tries to deliver an event.',
    'outcome',
  );
  private readonly endpointDeliveries = this.counter(
    'webhook_endpoint_deliveries_total',
    'Tries to deliver an event, by endpoint: the 50 busiest, and the others together.',
    'webhook',
    'outcome',
  );
  private readonly busiestEndpoints = new Busiest((webhook) => {
    for (const outcome of DELIVERY_OUTCOMES) this.endpointDeliveries.remove({ webhook, outcome });
  });

  private readonly mails = this.counter('mails_total', 'Tries to send a mail.', 'kind', 'outcome');

  private readonly uplinks = this.counter(
    'uplinks_total',
    'Messages of network servers that were received.',
    'source',
    'outcome',
  );
  private readonly droppedUplinks = this.counter(
    'uplinks_dropped_total',
    'Uplinks that were removed from a quarantine that was full, or because they were too old.',
  );

  private readonly mqttMessages = this.counter(
    'mqtt_messages_total',
    'Messages of MQTT that were acknowledged.',
    'source',
    'outcome',
  );
  private readonly mqttQos0 = this.counter(
    'mqtt_qos0_messages_total',
    'Messages of MQTT that were published with QoS 0, which can be lost on the way.',
  );

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
    if (key !== undefined) this.keyRequests.inc({ key: this.busiestKeys.labelFor(key) });
  }

  countInvalidRequest(): void {
    if (this.isOn) this.invalidRequests.inc();
  }

  countRefusedKey(reason: 'missing' | 'invalid'): void {
    this.refusedKeys.inc({ reason });
  }

  countReadings(
    outcomes: Readonly<Record<(typeof READING_OUTCOMES)[number], number>>,
    refusals: ReadonlyMap<string, number>,
  ): void {
    if (!this.isOn) return;
    for (const outcome of READING_OUTCOMES) {
      if (outcomes[outcome] > 0) this.readings.inc({ outcome }, outcomes[outcome]);
    }
    for (const [reason, count] of refusals) this.refusedReadings.inc({ reason }, count);
  }

  countUplink(source: string, outcome: string): void {
    if (this.isOn) this.uplinks.inc({ source, outcome });
  }

  countMqttMessage(source: string, outcome: string): void {
    if (this.isOn) this.mqttMessages.inc({ source, outcome });
  }

  countMqttQos0(): void {
    if (this.isOn) this.mqttQos0.inc();
  }

  countDroppedUplinks(count: number): void {
    if (this.isOn) this.droppedUplinks.inc(count);
  }

  observeWrite(requests: number): void {
    if (this.isOn) this.writes.observe(requests);
  }

  countDelivery(outcome: DeliveryOutcome, webhook: string): void {
    if (!this.isOn) return;
    this.deliveries.inc({ outcome });
    this.endpointDeliveries.inc({ webhook: this.busiestEndpoints.labelFor(webhook), outcome });
  }

  countMail(kind: string, outcome: MailOutcome): void {
    if (this.isOn) this.mails.inc({ kind, outcome });
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

  private counter<Label extends string>(name: string, help: string, ...labelNames: Label[]): Counter<Label> {
    return new Counter({ name, help, labelNames, registers: [this.registry] });
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
