// The limit: what Node and PostgreSQL can do when nothing stands between them. node:http and a pg pool, the service's own
// statements, pool and session settings, the service's own mapping of rows to responses. It compares the key with a constant
// and believes every parameter; it validates, logs, protects and measures nothing.
import 'reflect-metadata';
import { plainToInstance } from 'class-transformer';
import { createServer } from 'node:http';
import { Pool } from 'pg';
import { loadConfig } from '../build/platform/config/config.js';
import { toCustomerResponse } from '../build/customers/dto/customer.response.js';
import { readPoolOptions, writePoolOptions } from '../build/platform/database/data-source.js';
import { toTankResponse } from '../build/tanks/dto/tank.response.js';
import { toTelemetryResponse } from '../build/telemetry/dto/telemetry.response.js';
import { FleetTanksQuery } from '../build/fleet/dto/fleet.query.js';
import { FleetService } from '../build/fleet/fleet.service.js';
import { listCsvColumns } from '../build/common/pagination/columns.js';
import { writeCsv } from '../build/common/pagination/csv.js';
import { SeriesQuery } from '../build/telemetry/dto/series.query.js';
import { TelemetryRowResponse } from '../build/telemetry/dto/telemetry.response.js';
import { SeriesService } from '../build/telemetry/series.service.js';
import { borrowStatements } from './borrowed-statements.js';

const KEY = process.env.BENCH_KEY;
const config = loadConfig();
const pool = new Pool(readPoolOptions(config.databaseUrl, config));
pool.on('error', () => undefined);

const { tankById, customersPage, tanksPage, telemetryPage } = await borrowStatements();

/** One INSERT a request, over a pool as large as the reads'. */
const writer = new Pool({ ...writePoolOptions(config.databaseUrl, config), max: config.database.poolSize });
writer.on('error', () => undefined);
const INSERT = {
  name: 'insert_reading',
  text: `insert into telemetry (tank_key, created_at, fill_percentage)
         select tanks.key, reading.created_at, reading.fill_percentage
         from json_to_recordset($1) reading (tank_id text, created_at timestamptz, fill_percentage float8)
         join tanks on tanks.id = reading.tank_id
         on conflict (tank_key, created_at) do update set fill_percentage = excluded.fill_percentage`,
};

async function takeReadings(request) {
  let text = '';
  for await (const part of request.setEncoding('utf8')) text += part;
  const { readings } = JSON.parse(text);
  const { rowCount } = await writer.query({ ...INSERT, values: [JSON.stringify(readings)] });
  return { object: 'ingest_result', created: rowCount };
}

const run = async ({ name, text }, values) => (await pool.query({ name, text, values })).rows;

/** The service's own classes, on this pool: what they add to the statement is the mapping of its rows. */
const reads = {
  rows: run,
  page: run,
  firstRow: async (statement, values) => (await run(statement, values))[0],
};
const fleet = new FleetService(reads);
const series = new SeriesService(reads);

const TELEMETRY = '/telemetry';
const SERIES = '/telemetry/series';

async function answer(target, accept) {
  const mark = target.indexOf('?');
  const path = mark === -1 ? target : target.slice(0, mark);
  const query = mark === -1 ? '' : target.slice(mark + 1);
  if (path === '/v1/customers') {
    const list = listOf(query);
    return pageOf(await run(customersPage, list.values), 'id', toCustomerResponse, list);
  }
  if (path === '/v1/tanks') {
    const list = listOf(query);
    return pageOf(await run(tanksPage, list.values), 'id', toTankResponse, list);
  }
  if (path === '/v1/fleet') return fleet.summary({}, null);
  if (path === '/v1/fleet/tanks') {
    const asked = plainToInstance(FleetTanksQuery, Object.fromEntries(new URLSearchParams(query)));
    const { data, totalItems } = await fleet.list(asked, null);
    const { page, size } = asked;
    return {
      object: 'list',
      data,
      page,
      size,
      total_pages: Math.ceil(totalItems / size),
      total_items: totalItems,
    };
  }
  const rest = path.slice('/v1/tanks/'.length);
  if (rest.endsWith(SERIES)) {
    const asked = plainToInstance(SeriesQuery, Object.fromEntries(new URLSearchParams(query)));
    return series.get(rest.slice(0, -SERIES.length), asked, null);
  }
  if (rest.endsWith(TELEMETRY)) {
    const list = listOf(query);
    const rows = await run(telemetryPage, [rest.slice(0, -TELEMETRY.length), null, ...list.values]);
    if (rows.length === 0) return undefined;
    if (accept !== 'text/csv') return pageOf(rows, 'created_at', toTelemetryResponse, list);
    const tankId = rest.slice(0, -TELEMETRY.length);
    const items = rows.map((row) => ({ ...toTelemetryResponse(row), tank_id: tankId }));
    return writeCsv(listCsvColumns(TelemetryRowResponse), items);
  }
  const [tank] = await run(tankById, [rest, null]);
  return tank === undefined ? undefined : toTankResponse(tank);
}

function listOf(query) {
  let page = 1;
  let size = 10;
  let since = '-infinity';
  let until = 'infinity';
  for (const pair of query.split('&')) {
    const equals = pair.indexOf('=');
    const value = pair.slice(equals + 1);
    switch (pair.slice(0, equals)) {
      case 'page':
        page = Number(value);
        break;
      case 'size':
        size = Number(value);
        break;
      case 'created_at_gte':
        since = value;
        break;
      case 'created_at_lte':
        until = new Date(Date.parse(value) + 1).toISOString();
        break;
    }
  }
  return { page, size, values: [since, until, (page - 1) * size, size] };
}

function pageOf(rows, key, toResponse, { page, size }) {
  const { total } = rows[0];
  return {
    object: 'list',
    data: rows[0][key] === null ? [] : rows.map(toResponse),
    page,
    size,
    total_pages: Math.ceil(total / size),
    total_items: total,
  };
}

async function handle(request, response) {
  let status = 200;
  let body;
  if (request.headers['x-api-key'] === KEY) {
    try {
      body =
        request.method === 'POST'
          ? await takeReadings(request)
          : await answer(request.url, request.headers.accept);
      if (body === undefined) status = 404;
    } catch (error) {
      status = 500;
      body = { message: error.message };
    }
  } else status = 401;
  const text = typeof body === 'string' ? body : JSON.stringify(body ?? { status });
  response.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
  });
  response.end(text);
}

createServer((request, response) => void handle(request, response)).listen(config.port, config.host);
