import { resolvePointer } from '../../src/contract/read-operations.js';
import type { ContractDocument } from '../../src/contract/contract.js';
import { admitsNull, isNode, propertiesOf, type SchemaNode } from './schema-nodes.js';

/** One way to break a record. */
export interface Mutation {
  readonly kind: MutationKind;
  /** What is done where, for the message of a test that fails. */
  readonly label: string;
  /** The broken record; the one that is given stays as it is. */
  breakRecord(record: unknown): unknown;
}

export const mutationKinds = [
  'wrong type',
  'null',
  'missing field',
  'extra field',
  'unknown enum',
  'bad pattern',
  'out of range',
  'too long',
  'missing absence',
  'extra absence',
  'wrong absence reason',
] as const;

export type MutationKind = (typeof mutationKinds)[number];

type Path = readonly (string | number)[];

/**
 * Every way to break a valid record that its schema speaks of: each place of the record, each keyword that holds there.
 * Each mutation alone makes the record invalid.
 */
export function listMutations(document: ContractDocument, schema: SchemaNode, record: unknown): Mutation[] {
  const mutations: Mutation[] = [];
  const add = (kind: MutationKind, path: Path, label: string, value: unknown) =>
    mutations.push({
      kind,
      label: `${kind} at /${path.join('/')} ${label}`,
      breakRecord: (valid) => setAt(valid, path, value),
    });

  function visit(node: SchemaNode, value: unknown, path: Path): void {
    if (typeof node['$ref'] === 'string') return visit(nodeAt(document, node['$ref']), value, path);
    const choices = [node['anyOf'], node['oneOf']].filter(Array.isArray).flat().filter(isNode).filter(isNotNull);
    // What may be null is the one schema that it is beside; of several it is the one that names its kind.
    const own = choices.length === 1 ? choices[0] : choices.find((choice) => isKindOf(document, choice, value));
    if (own !== undefined && value !== null) return visit(own, value, path);
    for (const [label, wrong] of wrongTypes(node, value)) add('wrong type', path, label, wrong);
    if (!admitsNull(document, node)) add('null', path, '', null);
    if (value !== null) visitKeywords(node, value, path);
    if (isNode(value)) visitObject(node, value, path);
    if (Array.isArray(value) && isNode(node['items'])) {
      const { items } = node;
      value.forEach((each, index) => visit(items, each, [...path, index]));
    }
  }

  function visitKeywords(node: SchemaNode, value: unknown, path: Path): void {
    const { enum: values, const: constant, pattern, minimum, maximum, maxLength, minLength, maxItems } = node;
    if (Array.isArray(values) || constant !== undefined) add('unknown enum', path, '', 'no_such_value');
    if (typeof pattern === 'string' && typeof value === 'string') {
      for (const bad of [
        `${value}?`,
        `${value}\n`,
        ` ${value}`,
        `\u0661${value}`,
        `urn:${value}`,
        value.replace('.', ','),
      ]) {
        if (!new RegExp(pattern, 'u').test(bad)) add('bad pattern', path, JSON.stringify(bad), bad);
      }
    }
    if (typeof minimum === 'number') add('out of range', path, 'below', minimum - 1);
    if (typeof maximum === 'number') add('out of range', path, 'above', maximum + 1);
    if (typeof maxLength === 'number') add('too long', path, '', 'x'.repeat(maxLength + 1));
    if (typeof minLength === 'number' && minLength > 0) add('too long', path, 'or too short', '');
    if (typeof maxItems === 'number' && Array.isArray(value)) {
      add(
        'too long',
        path,
        '',
        Array.from({ length: maxItems + 1 }, () => value[0] ?? 'x'),
      );
    }
    if (node['uniqueItems'] === true && Array.isArray(value) && value.length > 0) {
      add('too long', path, 'with a repetition', [...value.slice(1), value[0], value[0]]);
    }
  }

  function visitObject(node: SchemaNode, value: SchemaNode, path: Path): void {
    const properties = new Map(propertiesOf(node));
    const { additionalProperties, required } = node;
    if (additionalProperties === false) add('extra field', [...path, 'no_such_field'], '', 'x');
    for (const name of Array.isArray(required) ? required : [])
      add('missing field', [...path, String(name)], '', undefined);
    for (const [name, member] of Object.entries(value)) {
      const property = properties.get(name) ?? (isNode(additionalProperties) ? additionalProperties : undefined);
      if (property === undefined) continue;
      visit(property, member, [...path, name]);
      if (admitsNull(document, property)) visitNullable(nodeOfAbsence(properties, name), value, name, path);
    }
  }

  function visitNullable(entry: SchemaNode | undefined, record: SchemaNode, name: string, path: Path): void {
    const reasonPath = [...path, 'absent', name];
    if (record[name] !== null) {
      add('missing absence', [...path, name], 'null without a reason', null);
      for (const reason of reasonsOf(entry)) add('extra absence', reasonPath, `${reason} beside a value`, { reason });
      return;
    }
    add('missing absence', reasonPath, '', undefined);
    add('wrong absence reason', reasonPath, '', { reason: 'because' });
    add('wrong absence reason', reasonPath, 'without one', {});
    // Of the closed list, but not one that this field can have.
    if (!reasonsOf(entry).includes('pending_parcel_lookup')) {
      add('wrong absence reason', reasonPath, 'of another field', { reason: 'pending_parcel_lookup' });
    }
  }

  const nodeOfAbsence = (properties: ReadonlyMap<string, SchemaNode>, name: string): SchemaNode | undefined => {
    const entry = propertiesOf(properties.get('absent') ?? {}).find(([each]) => each === name)?.[1];
    return typeof entry?.['$ref'] === 'string' ? nodeAt(document, entry['$ref']) : entry;
  };

  visit(schema, record, []);
  return mutations;
}

const isNotNull = ({ type }: SchemaNode): boolean => type !== 'null';

/** Whether a value has what is constant in a schema, such as the kind of a record. */
function isKindOf(document: ContractDocument, choice: SchemaNode, value: unknown): boolean {
  const schema = typeof choice['$ref'] === 'string' ? nodeAt(document, choice['$ref']) : choice;
  return propertiesOf(schema).some(
    ([name, { const: constant }]) => constant !== undefined && isNode(value) && value[name] === constant,
  );
}

/** Values of every JSON type that the schema does not admit at this place. */
function wrongTypes(node: SchemaNode, value: unknown): readonly (readonly [string, unknown])[] {
  const types: readonly unknown[] = [node['type'] ?? []].flat();
  if (types.length === 0) return [];
  const samples = { string: '1', number: 1.5, integer: 1, boolean: true, object: {}, array: [] as unknown[] };
  return Object.entries(samples)
    .filter(([type]) => !types.includes(type) && !(type === 'integer' && types.includes('number')))
    .map(([type, sample]) => [`${type} for ${JSON.stringify(value).slice(0, 40)}`, sample]);
}

function reasonsOf(entry: SchemaNode | undefined): readonly string[] {
  const reason = propertiesOf(entry ?? {}).find(([name]) => name === 'reason')?.[1];
  return Array.isArray(reason?.['enum']) ? reason['enum'].map(String) : [];
}

function nodeAt(document: ContractDocument, pointer: string): SchemaNode {
  const node = resolvePointer(document, pointer);
  if (!isNode(node)) throw new Error(`${pointer} names no schema`);
  return node;
}

/**
 * A copy in which another value stands at a path, or with undefined none; it shares with the record what stays the
 * same.
 */
function setAt(record: unknown, [key, ...rest]: Path, value: unknown): unknown {
  if (key === undefined) return value;
  if (typeof record !== 'object' || record === null) throw new Error(`${key} is nowhere`);
  const copy: object = Array.isArray(record) ? [...(record as unknown[])] : { ...record };
  const changed = setAt(Reflect.get(copy, key), rest, value);
  if (changed === undefined) Reflect.deleteProperty(copy, key);
  else Reflect.set(copy, key, changed);
  return copy;
}
