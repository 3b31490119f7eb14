// What Prometheus can ask of the process. Nothing is observed unless METRICS_PORT is set.
import { Inject, Injectable, Optional, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { Pool } from 'pg';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { CONFIG } from '../config/config.module.js';
import type { Config } from '../config/config.js';
import { PRIMARY_POOL } from '../database/pool.js';
import { Standbys } from '../database/standbys.js';
import { logOutput } from '../logging/log-output.js';
import { VERSION } from '../version.js';

const DURATION_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

const READING_OUTCOMES = ['created', 'updated', 'unchanged', 'superseded', 'refused'] as const;
type ReadingOutcome = (typeof READING_OUTCOMES)[number];

@Injectable()
export class Metrics implements OnModuleInit, OnApplicationShutdown {
  readonly isOn: boolean;
  private readonly registry = new Registry();
  private server: Server | undefined;

  private readonly durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'How long requests took, by route and status.',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: DURATION_BUCKETS,
    registers: [this.registry],
  });

  private readonly refusedKeys = new Counter({
    name: 'api_key_refusals_total',
    help: 'Requests refused for their API key, by reason.',
    labelNames: ['reason'] as const,
    registers: [this.registry],
  });

  private readonly readings = new Counter({
    name: 'ingested_readings_total',
    help: 'Readings that were sent, by what became of them.',
    labelNames: ['outcome'] as const,
    registers: [this.registry],
  });

  private readonly writes = new Histogram({
    name: 'ingest_write_requests',
    help: 'How many requests were written together.',
    buckets: [1, 2, 5, 10, 20, 50, 100, 200, 500],
    registers: [this.registry],
  });

  private readonly deliveries = new Counter({
    name: 'webhook_deliveries_total',
    help: 'Tries to deliver an event to a webhook, by outcome.',
    labelNames: ['outcome'] as const,
    registers: [this.registry],
  });

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    @Inject(PRIMARY_POOL) private readonly pool: Pool,
    /** A worker of its own reads from none. */
    @Optional() private readonly standbys?: Standbys,
  ) {
    this.isOn = config.metricsPort !== undefined;
  }

  observeRequest(method: string, route: string, status: number, milliseconds: number): void {
    this.durations.observe({ method, route, status }, milliseconds / 1000);
  }

  countRefusedKey(reason: 'missing' | 'invalid'): void {
    this.refusedKeys.inc({ reason });
  }

  countReadings(outcomes: Readonly<Record<ReadingOutcome, number>>): void {
    if (!this.isOn) return;
    for (const outcome of READING_OUTCOMES) {
      if (outcomes[outcome] > 0) this.readings.inc({ outcome }, outcomes[outcome]);
    }
  }

  observeWrite(requests: number): void {
    if (this.isOn) this.writes.observe(requests);
  }

  countDelivery(outcome: 'delivered' | 'retried' | 'failed'): void {
    if (this.isOn) this.deliveries.inc({ outcome });
  }

  /** A figure that is looked up when Prometheus asks, by type where it has several; while it cannot be, it is left out. */
  describe(
    name: string,
    help: string,
    read: () => Promise<number | Readonly<Record<string, number>>>,
  ): Gauge | undefined {
    if (!this.isOn) return undefined;
    return new Gauge({
      name,
      help,
      labelNames: ['type'],
      registers: [this.registry],
      async collect() {
        this.reset();
        const found = await read().catch(() => ({}));
        if (typeof found === 'number') this.set(found);
        else for (const [type, n] of Object.entries(found)) this.set({ type }, n);
      },
    });
  }

  async onModuleInit(): Promise<void> {
    if (!this.isOn) return;
    collectDefaultMetrics({ register: this.registry });
    this.describePool();
    if (this.standbys?.areNone === false) this.describeStandbys(this.standbys);
    new Gauge({
      name: 'build_info',
      help: 'The running version.',
      labelNames: ['version', 'node'],
      registers: [this.registry],
    }).set({ version: VERSION, node: process.version }, 1);
    const droppedLines = new Counter({
      name: 'log_lines_dropped_total',
      help: 'Log lines that nothing took: a full disk, or a pipe that nobody reads.',
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

  /** A value that is asked for whenever Prometheus asks. */
  gauge(name: string, help: string, read: () => number): void {
    const gauge: Gauge = new Gauge({ name, help, registers: [], collect: () => gauge.set(read()) });
    this.registry.registerMetric(gauge);
  }

  private describePool(): void {
    const { pool } = this;
    this.gauge(
      'database_pool_connections_in_use',
      'Connections serving a request.',
      () => pool.totalCount - pool.idleCount,
    );
    this.gauge('database_pool_connections', 'Open connections.', () => pool.totalCount);
    this.gauge(
      'database_pool_requests_waiting',
      'Requests, or groups of up to four, waiting for a connection.',
      () => pool.waitingCount,
    );
    this.gauge('database_pool_size', 'Connections there may be at most.', () => pool.options.max);
  }

  /** By their place in DATABASE_READ_URLS. One whose lag is not known yet has none. */
  private describeStandbys(standbys: Standbys): void {
    const labelNames = ['standby'] as const;
    const lag = new Gauge({
      name: 'database_replication_lag_seconds',
      help: 'How old a standby is at most.',
      labelNames,
      registers: [],
      collect() {
        this.reset();
        for (const { standby, lag_seconds } of standbys.report()) {
          if (lag_seconds !== null) this.set({ standby }, lag_seconds);
        }
      },
    });
    const inUse = new Gauge({
      name: 'database_standby_in_use',
      help: 'Whether reads go to a standby.',
      labelNames,
      registers: [],
      collect() {
        for (const { standby, in_use } of standbys.report()) this.set({ standby }, Number(in_use));
      },
    });
    for (const metric of [lag, inUse]) this.registry.registerMetric(metric);
  }

  private async listen(): Promise<void> {
    this.server = createServer((request, response) => {
      if (request.url?.split('?', 1)[0] !== '/metrics') {
        response.writeHead(404).end();
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
    // One scrape that cannot be accepted is no reason to end.
    this.server.on('error', () => undefined);
  }
}
