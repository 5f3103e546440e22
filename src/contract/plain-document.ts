import type { ContractDocument } from './contract.js';
import { follow, type SchemaNode } from './read-operations.js';

/**
 * The contract for generators of clients, `/openapi.plain.json`: the data operations of the prepared contract in that
 * part of OpenAPI 3.1 which all of them understand. It describes every reply, and refuses less than the contract.
 * docs/decisions/contract.md gives the rules.
 */
export function plainDocument(document: ContractDocument): PlainDocument {
  const schemas: Nodes = { ...sectionOf(document, 'schemas'), Problem: oneProblem(document) };
  const maybe = namesOrNull(document);
  const plain = {
    ...document,
    paths: dataOperations(document),
    components: {
      parameters: mapValues(sectionOf(document, 'parameters'), plainHolder),
      headers: mapValues(sectionOf(document, 'headers'), plainHolder),
      responses: mapValues(sectionOf(document, 'responses'), plainResponse),
      schemas: {
        ...mapValues(schemas, plainSchema),
        ...Object.fromEntries(maybe.map((name) => [`${name}OrNull`, orNull(plainSchema(schemas[name] ?? {}))])),
      },
    },
  };
  return withUniqueNames(withUsedParts(withNamedParts(plain)));
}

/** The same in OpenAPI 3.0.3, `/openapi.plain-3.0.json`, for generators that do not know 3.1. */
export function plainDocument30(plain: PlainDocument): PlainDocument {
  const { summary: _, ...info } = plain.info;
  const { name } = info['license'] as SchemaNode;
  // Twice: what was a constant gets a name of its own, to which a bare reference leads.
  const older = withUsedParts(olderSyntax(withNamedParts(olderSyntax(plain) as SchemaNode)) as SchemaNode);
  return { ...older, paths: older['paths'] as SchemaNode, openapi: '3.0.3', info: { ...info, license: { name } } };
}

/** A contract without types of its own: it is written, served and read by generators. */
export interface PlainDocument extends SchemaNode {
  readonly openapi: string;
  readonly info: SchemaNode;
  readonly paths: SchemaNode;
}

/**
 * What answers with data, with one tag each: no generated client needs pages, documents and probes. Their replies are
 * those of the first view, since what a parameter chooses has no type.
 */
function dataOperations(document: ContractDocument): SchemaNode {
  const data = Object.entries(document.paths).filter(([path]) => path.startsWith('/api/'));
  return mapValues(Object.fromEntries(data), ({ get }) => {
    const { tags, parameters, ...operation } = get as Operation;
    return {
      get: {
        ...operation,
        'x-mcp-tool': undefined,
        tags: tags.filter((tag) => tag !== 'free').slice(0, 1),
        parameters: parameters?.filter((parameter) => follow(document, parameter)['name'] !== 'view'),
      },
    };
  });
}

interface Operation extends SchemaNode {
  readonly tags: readonly string[];
  readonly parameters?: readonly SchemaNode[];
}

/** JSON alone, of the first view, and one schema for every error. */
function plainResponse(response: SchemaNode): SchemaNode {
  const { 'application/json': json, [problemType]: problem } = (response['content'] ?? {}) as Nodes;
  if (problem) return { ...response, content: { [problemType]: { schema: { $ref: `${place}Problem` } } } };
  if (json === undefined) return response;
  const { anyOf: [schema] = [json['schema']] } = json['schema'] as { readonly anyOf?: readonly unknown[] };
  return { ...response, content: { 'application/json': plainHolder({ ...json, schema }) } };
}

const plainHolder = (holder: SchemaNode): SchemaNode => ({
  ...holder,
  'x-private': undefined,
  'x-kind': undefined,
  schema: plainSchema(holder['schema'] as SchemaNode),
});

/** One schema that every error has: required is what each has, and a member of some may be missing. */
function oneProblem(document: ContractDocument): SchemaNode {
  const held = Object.values(sectionOf(document, 'responses')).flatMap(({ content }) => {
    const schema = (content as Nodes | undefined)?.[problemType]?.['schema'] as SchemaNode | undefined;
    return schema === undefined ? [] : ((schema['anyOf'] ?? [schema]) as SchemaNode[]);
  });
  const join = (one: SchemaNode, other: SchemaNode): SchemaNode => {
    const [left, right] = [follow(document, one), follow(document, other)];
    if (left === right) return one;
    if (left['type'] !== 'object' || right['type'] !== 'object')
      return { ...inCommon(left, right), description: one['description'] };
    const properties = { ...(right['properties'] as Nodes), ...(left['properties'] as Nodes) };
    return {
      ...left,
      required: ((left['required'] ?? []) as string[]).filter((name) => (right['required'] as string[]).includes(name)),
      properties: mapValues(properties, (property, name) => {
        const known = (right['properties'] as Nodes)[name];
        return known ? join(property, known) : property;
      }),
    };
  };
  return held.map((each) => follow(document, each)).reduce(join);
}

/** The keywords that say the same in both. */
function inCommon(one: SchemaNode, other: SchemaNode): SchemaNode {
  const same = Object.entries(one).filter(([word, value]) => JSON.stringify(value) === JSON.stringify(other[word]));
  return Object.fromEntries(same);
}

function anyObject(description: unknown): SchemaNode {
  return { type: 'object', description, additionalProperties: true };
}

/** Without conditions. A union without a discriminator may be anything, but for a reference beside null. */
function plainSchema(schema: SchemaNode): SchemaNode {
  const { $ref, description, anyOf, oneOf = anyOf, discriminator, example } = schema;
  const [first = {}, ...rest] = (oneOf ?? []) as SchemaNode[];
  if ($ref !== undefined) return { $ref, description };
  // A reference cannot admit null: a schema of its own does.
  if (rest.some(({ type }) => type === 'null') && first['$ref'] !== undefined)
    return { $ref: `${String(first['$ref'])}OrNull`, description };
  if (discriminator !== undefined) return { description, oneOf, discriminator };
  if (oneOf !== undefined) return schema['type'] === 'object' ? anyObject(description) : { description };
  // A map with known members is a map: some generators write such a member twice, under their name as well.
  const { properties: known, additionalProperties: others } = schema;
  if (known !== undefined && isNode(others)) return anyObject(description);
  const kept = Object.entries(schema).filter(([keyword]) => !keyword.startsWith('x-') && !conditions.has(keyword));
  const plain: SchemaNode = { ...Object.fromEntries(kept), example };
  const { properties, items, additionalProperties, enum: values, const: constant } = plain;
  return {
    ...plain,
    ...(properties !== undefined && { properties: mapValues(properties as Nodes, plainSchema) }),
    ...(items !== undefined && { items: plainSchema(items as SchemaNode) }),
    // Members may be added within a major version; a generated client is to read on.
    ...(additionalProperties === false && { additionalProperties: undefined }),
    ...(isNode(additionalProperties) && { additionalProperties: plainSchema(additionalProperties) }),
    ...(Array.isArray(values) && !values.some((value) => typeof value === 'string') && { enum: undefined }),
    ...(typeof constant !== 'string' && { const: undefined }),
    // A moment is a text: generators write it in another form than they have read it.
    ...(plain['format'] === 'date-time' && { format: undefined }),
  };
}

/** The schemas that somewhere stand beside null. */
function namesOrNull(document: ContractDocument): readonly string[] {
  const text = JSON.stringify(sectionOf(document, 'schemas'));
  const names = new Set(
    [...text.matchAll(/\{"\$ref":"#\/components\/schemas\/(\w+)"\},\{"type":"null"\}/g)].map(([, name = '']) => name),
  );
  return [...names];
}

const orNull = (schema: SchemaNode): SchemaNode => ({ ...schema, type: [schema['type'], 'null'] });

/** Each enumeration and each object is a schema with a name, which a property has from those above it. */
function withNamedParts(document: SchemaNode): SchemaNode {
  const found: Record<string, SchemaNode> = {};
  const visit = (schema: SchemaNode, name: string, isNamed: boolean): SchemaNode => {
    const { properties, items, additionalProperties, description, enum: values } = schema;
    const visited = {
      ...schema,
      ...(isNode(properties) && {
        properties: mapValues(properties as Nodes, (each, member) => visit(each, name + pascalCase(member), false)),
      }),
      ...(isNode(items) && { items: visit(items, name, false) }),
      ...(isNode(additionalProperties) && { additionalProperties: visit(additionalProperties, name, false) }),
    };
    if (isNamed || (values === undefined && properties === undefined)) return visited;
    const own = values === undefined ? name : `${name}Code`;
    found[own] = { ...visited, example: undefined };
    return { $ref: place + own, description };
  };
  const components = document['components'] as Readonly<Record<string, Nodes>>;
  const parameters = mapValues(components['parameters'] ?? {}, (parameter, name) => ({
    ...parameter,
    schema: visit(parameter['schema'] as SchemaNode, name, false),
  }));
  const schemas = mapValues(components['schemas'] ?? {}, (schema, name) => visit(schema, name, true));
  return { ...document, components: { ...components, parameters, schemas: { ...schemas, ...found } } };
}

/** Only the parts and tags to which an operation leads. */
function withUsedParts({ components, tags, ...rest }: SchemaNode): SchemaNode {
  const used = new Set<string>();
  const visit = (node: unknown): void => {
    for (const [pointer, section = '', name = ''] of JSON.stringify(node).matchAll(pointers)) {
      if (used.has(pointer)) continue;
      used.add(pointer);
      visit((components as Record<string, Nodes>)[section]?.[name]);
    }
  };
  visit(rest['paths']);
  const kept = mapValues(components as Record<string, Nodes>, (parts, section) =>
    Object.fromEntries(Object.entries(parts).filter(([name]) => used.has(`"#/components/${section}/${name}"`))),
  );
  const paths = JSON.stringify(rest['paths']);
  const isUsed = ({ name }: SchemaNode): boolean => paths.includes(`"tags":[${JSON.stringify(name)}]`);
  return { ...rest, tags: (tags as SchemaNode[]).filter(isUsed), components: kept };
}

/** No name twice, nor one that a generator makes of another: they put all parts into one place. */
function withUniqueNames(document: SchemaNode): PlainDocument {
  const { schemas = {} } = document['components'] as Record<string, Nodes>;
  const rename = (section: string, name: string): string => {
    const suffix = suffixes[section];
    if (suffix !== undefined) return name + suffix;
    return generated.test(name) && name.replace(generated, '') in schemas ? `${name}Code` : name;
  };
  const renamed = JSON.stringify(document).replaceAll(
    pointers,
    (_, section: string, name: string) => `"#/components/${section}/${rename(section, name)}"`,
  );
  const { components, ...rest } = JSON.parse(renamed) as PlainDocument & { readonly components: Record<string, Nodes> };
  const entries = (section: string, parts: Nodes) =>
    Object.entries(parts).map(([name, part]) => [rename(section, name), part] as const);
  return {
    ...rest,
    components: mapValues(components, (parts, section) => Object.fromEntries(entries(section, parts))),
  };
}

/** What 3.0 writes in another way or not at all; names of properties and examples are no keywords. */
function olderSyntax(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(olderSyntax);
  if (!isNode(node)) return node;
  if (typeof node['$ref'] === 'string') return { $ref: node['$ref'] };
  const { type, const: constant, contentSchema: _, contentEncoding: __, contentMediaType: ___, ...rest } = node;
  const older = mapValues(rest as Nodes, (value, keyword) => {
    if (keyword === 'example') return value;
    return keyword === 'properties' ? mapValues(value as Nodes, olderSyntax) : olderSyntax(value);
  });
  return {
    ...(type !== undefined && { type }),
    ...(Array.isArray(type) && { type: type.find((each) => each !== 'null') as unknown, nullable: true }),
    ...(constant !== undefined && { enum: [constant] }),
    ...older,
  };
}

type Nodes = Readonly<Record<string, SchemaNode>>;

const place = '#/components/schemas/';
const problemType = 'application/problem+json';
const pointers = /"#\/components\/(\w+)\/(\w+)"/g;
const suffixes: Readonly<Record<string, string>> = { parameters: 'Parameter', headers: 'Header', responses: 'Reply' };
/** What generators add to the name of a schema for a part of it, or for what it belongs to. */
const generated = /(Type|Item|Inner|Enum|OneOf|Params|Request|Response|Body)$/;
const conditions = new Set([
  ...['if', 'then', 'else', 'not', 'anyOf', 'allOf', 'patternProperties'],
  ...['dependentRequired', 'dependentSchemas', 'unevaluatedProperties', 'unevaluatedItems'],
]);

function sectionOf({ components }: ContractDocument, section: string): Nodes {
  return (components[section] ?? {}) as Nodes;
}

function mapValues<Value, Mapped>(
  record: Readonly<Record<string, Value>>,
  map: (value: Value, key: string) => Mapped,
): Record<string, Mapped> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value, key)]));
}

const isNode = (value: unknown): value is SchemaNode =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const pascalCase = (name: string): string =>
  name.replaceAll(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9])/g, (_, letter: string) => letter.toUpperCase());
