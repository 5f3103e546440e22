import { isDeepStrictEqual } from 'node:util';
import { admitsNull, isNode, propertiesOf, walkNodes, type PlacedSchema, type SchemaNode } from './schema-nodes.js';

/**
 * Where a document breaks the rule of absence: a nullable property has, in the same schema, both absence clauses in
 * `not.anyOf` (null without a reason, a reason beside a value) and its entry in `absent.properties`; nothing else is
 * nullable, and nothing else has an entry. Parts of records are looked at in the records.
 */
export function findAbsenceFaults(document: unknown): string[] {
  const faults: string[] = [];
  for (const { pointer, node } of walkHeld(document)) {
    if (!pointer.endsWith('/properties')) faults.push(...faultsOfSchema(document, pointer, node));
    // A value that may be null has a name; what is null is the property that refers to it.
    if (isNamed(pointer)) continue;
    const isProperty = /\/properties\/[^/]+(\/(anyOf|oneOf)\/\d+)*$/.test(pointer);
    if (!isProperty && admitsNull(document, node)) faults.push(`${pointer} may be null and is no property`);
  }
  return faults;
}

/** Every mapping of the document, but those of schemas that nothing refers to: the parts of which records are made. */
export function* walkHeld(document: unknown): Generator<PlacedSchema> {
  const nodes = [...walkNodes(document)];
  const referred = new Set(nodes.map(({ node }) => node['$ref']));
  for (const placed of nodes) {
    const name = /^#\/components\/schemas\/[^/]+/.exec(placed.pointer)?.[0];
    if (name === undefined || referred.has(name)) yield placed;
  }
}

const isNamed = (pointer: string): boolean => /^#\/components\/schemas\/[^/]+$/.test(pointer);

function faultsOfSchema(document: unknown, pointer: string, schema: SchemaNode): string[] {
  const properties = propertiesOf(schema);
  const nullable = properties.filter(([, property]) => admitsNull(document, property)).map(([name]) => name);
  const absent = properties.find(([name]) => name === 'absent')?.[1];
  const entries = absent === undefined ? [] : propertiesOf(absent).map(([name]) => name);
  const required = listOf(schema['required']);
  const clauses = isNode(schema['not']) ? listOf(schema['not']['anyOf']) : [];
  const has = (clause: SchemaNode) => clauses.some((each) => isDeepStrictEqual(each, clause));
  const faults = nullable.flatMap((name) => [
    ...(has(nullWithoutReason(name)) ? [] : [`${name} may be null without a reason`]),
    ...(has(reasonBesideValue(name)) ? [] : [`${name} may have a value beside a reason`]),
    ...(entries.includes(name) ? [] : [`${name} has no entry in absent`]),
    ...(required.includes(name) ? [] : [`${name} may be missing`]),
  ]);
  faults.push(
    ...entries.filter((name) => !nullable.includes(name)).map((name) => `absent names ${name}, which is never null`),
  );
  if (nullable.length > 0 && !required.includes('absent')) faults.push('absent may be missing');
  if (absent !== undefined && absent['additionalProperties'] !== false) faults.push('absent admits any name');
  return faults.map((fault) => `${pointer}: ${fault}`);
}

function nullWithoutReason(name: string): SchemaNode {
  return { properties: { [name]: { type: 'null' }, absent: { not: { required: [name] } } } };
}

function reasonBesideValue(name: string): SchemaNode {
  return { properties: { [name]: { not: { type: 'null' } }, absent: { required: [name] } } };
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
