// The limit: what Node and PostgreSQL can do when nothing stands between them. node:http and a pg pool, the service's own
// statements, pool and session settings, the service's own mapping of rows to responses. It compares the key with a constant
// and believes every parameter; it validates, logs, protects and measures nothing.
import { createServer } from 'node:http';
import { Pool } from 'pg';
import 'reflect-metadata';
import { loadConfig } from '../build/config/config.js';
import { toCustomerResponse } from '../build/customers/dto/customer.response.js';
import { serviceOptions } from '../build/database/data-source.js';
import { toTankResponse } from '../build/tanks/dto/tank.response.js';
import { toTelemetryResponse } from '../build/telemetry/dto/telemetry.response.js';
import { borrowStatements } from './borrowed-statements.js';

const KEY = process.env.BENCH_KEY;
const config = loadConfig();
const { url, extra } = serviceOptions(config.databaseUrl, config);
const pool = new Pool({ ...extra, connectionString: url });
pool.on('error', () => undefined);

const { tankById, customersPage, tanksPage, telemetryPage } = await borrowStatements();

const run = async ({ name, text }, values) => (await pool.query({ name, text, values })).rows;

const TELEMETRY = '/telemetry';

async function answer(target) {
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
  const rest = path.slice('/v1/tanks/'.length);
  if (rest.endsWith(TELEMETRY)) {
    const list = listOf(query);
    const rows = await run(telemetryPage, [rest.slice(0, -TELEMETRY.length), null, ...list.values]);
    return rows.length === 0 ? undefined : pageOf(rows, 'created_at', toTelemetryResponse, list);
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
      body = await answer(request.url);
      if (body === undefined) status = 404;
    } catch (error) {
      status = 500;
      body = { message: error.message };
    }
  } else status = 401;
  const text = JSON.stringify(body ?? { status });
  response.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
  });
  response.end(text);
}

createServer((request, response) => void handle(request, response)).listen(config.port, config.host);
