// `npm run api:tables`: writes the tables in docs/api.md from openapi.json, each after a mark that says what it shows:
//   <!-- table: operations -->                        every operation, with the scope it needs
//   <!-- table: parameters of GET /v1/events -->      "without page, size" leaves some out
//   <!-- table: fields of TankResponse -->            "sent as TankInput" adds which of them a body has
import { readFile, writeFile } from 'node:fs/promises';

const PAGE = 'docs/api.md';
const METHODS = ['get', 'post', 'put', 'patch', 'delete'];
const MARKED = /^(<!-- table: (.+) -->\n)(?:\n(?:\|.*\n)+)?/gm;

const document = JSON.parse(await readFile('openapi.json', 'utf8'));
const page = await readFile(PAGE, 'utf8');
await writeFile(
  PAGE,
  page.replaceAll(MARKED, (_, mark, what) => `${mark}\n${aligned(tableOf(what))}\n`),
);

function tableOf(what) {
  if (what === 'operations') return operations();
  const [subject, left = ''] = what.split(' without ');
  const isShown = ({ name }) => !left.split(', ').includes(name);
  const [, method, path] = /^parameters of (\w+) (\S+)$/.exec(subject) ?? [];
  if (method !== undefined) return parameters(operationAt(method, path), isShown);
  const [, shown, sent] = /^fields of (\w+)(?: sent as (\w+))?$/.exec(subject) ?? [];
  if (shown === undefined) throw new Error(`${PAGE} asks for an unknown table: ${what}`);
  return fields(schemaOf(shown), sent && schemaOf(sent), isShown);
}

function operations() {
  const paths = Object.entries(document.paths).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const rows = paths.flatMap(([path, item]) =>
    METHODS.filter((method) => method in item).map((method) => [
      `\`${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}\``,
      item[method].summary,
      scopeOf(item[method]),
    ]),
  );
  return [['Request', 'What it does', 'Scope'], ...rows];
}

function scopeOf({ security, responses }) {
  if (security?.length === 0) return 'no key';
  const [, scope] = /lacks the scope `([\w:]+)`/.exec(JSON.stringify(responses)) ?? [];
  return scope === undefined ? 'any key' : `\`${scope}\``;
}

function parameters(operation, isShown) {
  const rows = operation.parameters
    .filter((parameter) => parameter.in === 'query' && isShown(parameter))
    .map(({ name, schema, description }) => [`\`${name}\``, describe(schema), description]);
  return [['Parameter', 'Value', 'Meaning'], ...rows];
}

function fields({ properties }, sent, isShown) {
  const shown = Object.entries(properties).filter(([name]) => isShown({ name }));
  const inBody = (name) =>
    sent.required.includes(name) ? 'required' : name in sent.properties ? 'may be sent' : '';
  const rows = shown.map(([name, property]) => [
    `\`${name}\``,
    describe(property),
    property.description,
    ...(sent === undefined ? [] : [inBody(name)]),
  ]);
  return [['Field', 'Type', 'Meaning', ...(sent === undefined ? [] : ['In a body'])], ...rows];
}

/** Its type and what limits it, in words. */
function describe(schema) {
  const { $ref, allOf = [], anyOf = [], oneOf = [], items, ...own } = schema;
  if ($ref !== undefined) return describe(schemaOf($ref.split('/').at(-1)));
  if (allOf.length === 1) return withDefault(describe(allOf[0]), own);
  const choices = [...anyOf, ...oneOf];
  if (choices.length > 0) return withDefault([...new Set(choices.map(describe))].join(' or '), own);
  const types = [own.type].flat();
  if (items !== undefined) return types.map((type) => (type === 'array' ? 'array' : type)).join(' or ');
  if (own.enum !== undefined && own.enum.length > 1)
    return withDefault(own.enum.map((value) => (value === null ? 'null' : `\`${value}\``)).join(', '), own);
  const named = types.map((type) => (own.format === 'date-time' && type === 'string' ? 'datetime' : type));
  return withDefault([named.join(' or '), ...limitsOf(own)].join(', '), own);
}

function limitsOf({ minimum, maximum, exclusiveMinimum, minLength, maxLength }) {
  if (exclusiveMinimum !== undefined) return [`above ${exclusiveMinimum}`];
  if (maximum !== undefined) return [`${minimum ?? 0} to ${maximum}`];
  if (minimum > 0) return [`at least ${minimum}`];
  if (maxLength !== undefined) return [`${minLength ?? 0} to ${maxLength} characters`];
  return minLength === 1 ? ['not empty'] : [];
}

function withDefault(text, { default: value }) {
  return value === undefined || value === null ? text : `${text}; default \`${value}\``;
}

function schemaOf(name) {
  const schema = document.components.schemas[name];
  if (schema === undefined) throw new Error(`openapi.json has no ${name}, which ${PAGE} shows.`);
  return schema;
}

function operationAt(method, path) {
  const operation = document.paths[path]?.[method.toLowerCase()];
  if (operation === undefined) throw new Error(`openapi.json has no ${method} ${path}, which ${PAGE} shows.`);
  return operation;
}

/** As Prettier would write it. */
function aligned(rows) {
  const widths = rows[0].map((_, column) => Math.max(3, ...rows.map((row) => row[column].length)));
  const line = (cells) => `| ${cells.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |`;
  const [head, ...body] = rows;
  return [head, widths.map((width) => '-'.repeat(width)), ...body].map(line).join('\n');
}
