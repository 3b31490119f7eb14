// Between a sender that posts protobuf and a source of the service: takes each message over HTTP, and hands it on as JSON. The sender hears
// what the service answered, so that it sends again what was not stored.
//
//   TANKS_URL=http://127.0.0.1:3000 TANKS_KEY=… PORT=8080 node examples/protobuf-to-source.js my-gateway
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { ProblemError, TankMonitoring } from 'tank-monitoring-client';

const { TANKS_URL = 'http://127.0.0.1:3000', TANKS_KEY = '', PORT = '8080' } = process.env;
const [source = 'my-gateway'] = process.argv.slice(2);

/** The sender's .proto: each field by its number. Put yours in place of this one. */
const TANK = { 1: ['name', 'string'], 2: ['level_mm', 'float'], 3: ['celsius', 'sint'] };
const REPORT = { 1: ['gateway', 'string'], 2: ['sent', 'uint'], 3: ['tanks', [TANK]] };

const tms = new TankMonitoring({ url: TANKS_URL, key: TANKS_KEY });
createServer((request, response) => void handOn(request, response)).listen(Number(PORT), '127.0.0.1', () =>
  console.log('Ready.'),
);

async function handOn(request, response) {
  try {
    const message = read(REPORT, await buffer(request));
    const result = await tms.uplinks.sendBySource(source, message);
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(result));
  } catch (error) {
    console.error(error.message);
    const status = error instanceof ProblemError ? error.status : error instanceof RangeError ? 400 : 503;
    response.writeHead(status).end();
  }
}

/** What is not in the .proto is passed over. A broken message is a RangeError. */
function read(fields, bytes) {
  const message = {};
  let at = 0;
  const varint = () => {
    for (let value = 0n, shift = 0n; shift < 70n; shift += 7n) {
      const byte = BigInt(bytes.readUInt8(at++));
      value |= (byte & 127n) << shift;
      if (byte < 128n) return value;
    }
    throw new RangeError('This is no protobuf.');
  };
  const take = (length) => {
    if (at + length > bytes.length) throw new RangeError('The message ends too early.');
    return bytes.subarray(at, (at += length));
  };
  while (at < bytes.length) {
    const tag = Number(varint());
    const wire = tag & 7;
    const raw = wire === 0 ? varint() : take(wire === 1 ? 8 : wire === 5 ? 4 : Number(varint()));
    const [name, type] = fields[tag >> 3] ?? [];
    if (name === undefined) continue;
    if (Array.isArray(type)) (message[name] ??= []).push(valueOf(type[0], raw));
    else message[name] = valueOf(type, raw);
  }
  return message;
}

function valueOf(type, raw) {
  if (typeof type === 'object') return read(type, raw);
  if (type === 'string') return raw.toString('utf8');
  if (type === 'float') return raw.readFloatLE();
  if (type === 'double') return raw.readDoubleLE();
  return Number(type === 'sint' ? (raw >> 1n) ^ -(raw & 1n) : raw);
}
