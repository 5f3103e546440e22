import type { ContractDocument } from '../../src/contract/contract.js';
import { follow } from '../../src/contract/read-operations.js';

/** A node of a schema, as YAML has it. */
export type SchemaNode = Readonly<Record<string, unknown>>;

/** A schema somewhere in the document, with the place where it stands. */
export interface PlacedSchema {
  readonly pointer: string;
  readonly node: SchemaNode;
}

/** True for a mapping; arrays and scalars are none. */
export function isNode(value: unknown): value is SchemaNode {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What is no schema, or states what must not be: examples, enumerations, negations, extensions. */
const skipped = new Set(['example', 'examples', 'enum', 'not', 'required', 'const', 'default']);

/** Every mapping below a place, the place itself first; what stands under `not` and in examples is left out. */
export function* walkNodes(node: unknown, pointer = '#'): Generator<PlacedSchema> {
  if (Array.isArray(node)) for (const [index, each] of node.entries()) yield* walkNodes(each, `${pointer}/${index}`);
  if (!isNode(node)) return;
  yield { pointer, node };
  // Members of `properties` are names, not keywords: one may be called `required` or `not`.
  const names = pointer.endsWith('/properties');
  for (const [key, value] of Object.entries(node)) {
    if (names || !(skipped.has(key) || key.startsWith('x-'))) yield* walkNodes(value, `${pointer}/${key}`);
  }
}

/** The properties of an object schema. */
export function propertiesOf(node: SchemaNode): readonly (readonly [string, SchemaNode])[] {
  const properties = node['properties'];
  if (!isNode(properties)) return [];
  return Object.entries(properties).flatMap(([name, property]) =>
    isNode(property) ? [[name, property] as const] : [],
  );
}

/** Whether the schema admits null, itself or by what its `$ref` leads to. */
export function admitsNull(document: unknown, node: SchemaNode): boolean {
  const { type, const: constant, enum: values, anyOf, oneOf } = follow(document as ContractDocument, node);
  if (type === 'null' || (Array.isArray(type) && type.includes('null'))) return true;
  if (constant === null || (Array.isArray(values) && type === undefined && values.includes(null))) return true;
  return [anyOf, oneOf].some(
    (choices) => Array.isArray(choices) && choices.some((each) => isNode(each) && admitsNull(document, each)),
  );
}
