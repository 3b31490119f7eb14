// `npm run client:types`: writes src/types.ts from openapi.json. An interface for each schema and for the query of each operation, under
// names that read well in an editor; openapi-typescript does the types themselves.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import openapiTS, { astToString } from 'openapi-typescript';
import { format, resolveConfig } from 'prettier';
import ts from 'typescript';

const DOCUMENT = fileURLToPath(new URL('../openapi.json', import.meta.url));
const TYPES = fileURLToPath(new URL('src/types.ts', import.meta.url));

/** Others are the schema's name without "Response". Browsers have an Event and a Location of their own. */
const NAMES = {
  CustomerListResponse: 'List', // the same for all lists but for what is in it
  ChangedTelemetryResponse: 'ChangedReadings',
  ChangesResponse: 'ChangesPage',
  EventResponse: 'TankEvent',
  LocationResponse: 'TankLocation',
  SentReading: 'NewReading',
  SentSensorBody: 'SensorInput',
  SentSensorProfile: 'SensorProfileInput',
  SentSource: 'SourceInput',
  SentTwoPoints: 'CalibrationPointsInput',
  TableResponse: 'CalibrationTable',
  TelemetryResponse: 'Reading',
  ReadingsResponse: 'ReadingsPage',
  TwoPointsResponse: 'CalibrationPoints',
};
/** Other lists, other formats than JSON, and what nobody has to write. */
const LEFT_OUT = /^(?!Customer)\w+ListResponse$|^(SentReadings|WebhookMessage|YesOrNo)$/;

/** Becomes `undefined`. */
const NOTHING = { enum: [] };

const HEADER = `// Generated from openapi.json by \`npm run client:types\`: do not edit.\n\n`;

const document = JSON.parse(readFileSync(DOCUMENT, 'utf8'));
const schemas = stricter({ ...named(document.components.schemas), ...queriesOf(document.paths) });
const [tree] = await openapiTS(
  {
    openapi: '3.1.0',
    info: { title: '', version: '' },
    paths: {},
    components: { schemas: renamed(schemas) },
  },
  { defaultNonNullable: false },
).then((nodes) => nodes.filter((node) => node.name?.text === 'components'));
const types = HEADER + declarationsOf(tree).map(astToString).map(readable).join('\n');
const style = await resolveConfig(TYPES);
const written = await format(types, { ...style, parser: 'typescript' });
if (written !== readFileSync(TYPES, 'utf8')) writeFileSync(TYPES, written); // a newer file is built anew

function nameOf(schema) {
  return NAMES[schema] ?? schema.replace(/Response$/, '');
}

function named(all) {
  const kept = Object.entries(all).filter(([name]) => !LEFT_OUT.test(name));
  return Object.fromEntries(kept.map(([name, schema]) => [nameOf(name), schema]));
}

/** The parameters of each operation as an object: `listTanks` has a `ListTanksQuery`. */
function queriesOf(all) {
  const operations = Object.values(all).flatMap((path) => Object.values(path));
  const queries = operations.map(({ operationId, parameters = [] }) => {
    const inQuery = parameters.filter((parameter) => parameter.in === 'query');
    const properties = inQuery.map(({ name, description, schema }) => [
      name,
      { description, ...(isYesOrNo(schema) ? { type: 'boolean' } : schema) },
    ]);
    const name = `${operationId[0].toUpperCase()}${operationId.slice(1)}Query`;
    const required = inQuery.filter((parameter) => parameter.required).map((parameter) => parameter.name);
    return [name, { type: 'object', required, properties: Object.fromEntries(properties) }];
  });
  return Object.fromEntries(queries.filter(([, { properties }]) => Object.keys(properties).length > 0));
}

/** What the service would refuse in any case does not compile: what one keyword of a schema says of two properties, types say better. */
function stricter({ NewReading, GetTelemetrySeriesQuery, ListChangesQuery, ...others }) {
  const { tank_id, device_id } = NewReading.properties;
  const given = { type: 'string' };
  const absent = { type: 'null' };
  ListChangesQuery.properties.types = {
    description: 'Only changes of these types; all, unless given.',
    type: 'array',
    items: refTo('ChangeType'),
  };
  return {
    ...others,
    ChangeType: { description: 'What can change.', enum: Object.keys(others.Change.discriminator.mapping) },
    Change: { oneOf: others.Change.oneOf },
    ReadingOfTank: requiring(NewReading, { tank_id: { ...tank_id, ...given }, device_id: absent }),
    ReadingOfDevice: requiring(NewReading, { device_id: { ...device_id, ...given }, tank_id: absent }),
    NewReading: {
      description: 'Of a tank, or of a device.',
      oneOf: [refTo('ReadingOfTank'), refTo('ReadingOfDevice')],
    },
    ListChangesQuery,
    SeriesInPoints: without(GetTelemetrySeriesQuery, 'interval'),
    SeriesInIntervals: without(GetTelemetrySeriesQuery, 'points'),
    GetTelemetrySeriesQuery: { oneOf: [refTo('SeriesInPoints'), refTo('SeriesInIntervals')] },
  };
}

/** The first of these properties must be given. */
function requiring(schema, properties) {
  const required = [...schema.required, Object.keys(properties)[0]];
  return { ...schema, properties: { ...schema.properties, ...properties }, required };
}

function without(schema, property) {
  return { ...schema, properties: { ...schema.properties, [property]: NOTHING } };
}

function refTo(name) {
  return { $ref: `#/components/schemas/${name}` };
}

/** The query writes a boolean as the text that it must be. */
function isYesOrNo({ enum: values, $ref }) {
  return $ref === '#/components/schemas/YesOrNo' || values?.join() === 'true,false';
}

/** They would fill the comments. */
function withoutExamples(name, value) {
  return name === 'example' || name === 'examples' ? undefined : value;
}

/** What refers to a schema, by its new name. */
function renamed(all) {
  const text = JSON.stringify(all, withoutExamples).replaceAll(
    /"#\/components\/schemas\/(\w+)"/g,
    (_, schema) => `"#/components/schemas/${nameOf(schema)}"`,
  );
  return JSON.parse(text);
}

/** Instead of one interface with all schemas in it, one for each. */
function declarationsOf(components) {
  const { factory } = ts;
  const all = components.members.find((member) => member.name.text === 'schemas').type.members;
  const exported = [factory.createModifier(ts.SyntaxKind.ExportKeyword)];
  const declarations = all.map((member) => {
    const name = member.name.text;
    const type = withShortNames(member.type);
    const declaration = ts.isTypeLiteralNode(type)
      ? factory.createInterfaceDeclaration(exported, name, undefined, undefined, type.members)
      : factory.createTypeAliasDeclaration(exported, name, undefined, type);
    return ts.setSyntheticLeadingComments(declaration, ts.getSyntheticLeadingComments(member));
  });
  return declarations;
}

/** `components["schemas"]["Tank"]` is `Tank`. */
function withShortNames(type) {
  const visit = (node) => {
    if (ts.isPropertySignature(node) && node.questionToken !== undefined) return orUndefined(node, visit);
    const isReference =
      ts.isIndexedAccessTypeNode(node) &&
      ts.isIndexedAccessTypeNode(node.objectType) &&
      ts.isLiteralTypeNode(node.indexType);
    if (isReference) return ts.factory.createTypeReferenceNode(node.indexType.literal.text);
    return ts.visitEachChild(node, visit, undefined);
  };
  return ts.visitNode(type, visit);
}

/** Also for programs that distinguish what is left out from what is undefined. */
function orUndefined(property, visit) {
  const { factory } = ts;
  const nothing = factory.createKeywordTypeNode(ts.SyntaxKind.UndefinedKeyword);
  const type = factory.createUnionTypeNode([ts.visitNode(property.type, visit), nothing]);
  const { modifiers, name, questionToken } = property;
  const updated = factory.updatePropertySignature(property, modifiers, name, questionToken, type);
  return ts.setSyntheticLeadingComments(updated, ts.getSyntheticLeadingComments(property));
}

/** Comments say what the document's descriptions say, and a list holds anything. */
function readable(declaration) {
  return declaration
    .replaceAll(/^ *\* (@(enum|default|constant)|Format:).*\n/gm, '')
    .replaceAll(/^ *\/\*\* @(constant|enum)\b.*\*\/\n/gm, '')
    .replaceAll('@description ', '')
    .replace('types?: ChangeType[]', 'types?: readonly ChangeType[]')
    .replaceAll('?: never | undefined', '?: undefined')
    .replace('table: number[][]', 'table: [[number, number], [number, number], ...[number, number][]]')
    .replaceAll(/\/\*\*\n *\* (.*)\n *\*\//g, '/** $1 */')
    .replace(/^(export interface List) ([^]*data:) Customer\[\]/, '$1<T> $2 T[]');
}
