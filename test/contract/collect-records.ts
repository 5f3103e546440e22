import assert from 'node:assert/strict';
import type { ContractDocument } from '../../src/contract/contract.js';
import { resolvePointer } from '../../src/contract/read-operations.js';
import type { Validators } from '../../src/contract/validators.js';
import { isNode, propertiesOf, type SchemaNode } from './schema-nodes.js';

const place = '#/components/schemas/';

/** The names of the schemas that a schema consists of; reasons of absence belong to the record that has them. */
export function schemasWithin(document: ContractDocument, root: SchemaNode): ReadonlySet<string> {
  const found = new Set<string>();
  const visit = (node: SchemaNode): void => {
    const name = nameOf(node);
    if (name !== undefined && !found.has(name)) {
      found.add(name);
      visit(schemaAt(document, node));
    }
    for (const part of [...choicesOf(node), ...itemsOf(node), ...membersOf(node).map(([, member]) => member)])
      visit(part);
  };
  visit(root);
  return found;
}

/** Notes each value that a reply consists of under the name of its schema. */
export function collectRecords(
  { document, validators }: { readonly document: ContractDocument; readonly validators: Validators },
  root: SchemaNode,
  reply: unknown,
  into: Map<string, unknown[]>,
): void {
  const visit = (node: SchemaNode, value: unknown): void => {
    if (value === null) return;
    const name = nameOf(node);
    if (name !== undefined) {
      const noted = into.get(name) ?? [];
      into.set(name, noted);
      noted.push(value);
      return visit(schemaAt(document, node), value);
    }
    const choices = choicesOf(node);
    const own = choices.length < 2 ? choices[0] : choices.find(({ $ref }) => validators.at(String($ref))(value));
    if (own !== undefined) visit(own, value);
    if (Array.isArray(value)) for (const item of itemsOf(node)) for (const each of value) visit(item, each);
    if (isNode(value)) for (const [member, part] of membersOf(node)) if (member in value) visit(part, value[member]);
  };
  visit(root, reply);
}

function choicesOf({ anyOf, oneOf = anyOf }: SchemaNode): readonly SchemaNode[] {
  return Array.isArray(oneOf) ? oneOf.filter(isNode).filter(({ type }) => type !== 'null') : [];
}

function membersOf(node: SchemaNode): readonly (readonly [string, SchemaNode])[] {
  return propertiesOf(node).filter(([member]) => member !== 'absent');
}

function itemsOf({ items }: SchemaNode): readonly SchemaNode[] {
  return isNode(items) ? [items] : [];
}

function nameOf({ $ref }: SchemaNode): string | undefined {
  return typeof $ref === 'string' ? $ref.slice(place.length) : undefined;
}

function schemaAt(document: ContractDocument, { $ref }: SchemaNode): SchemaNode {
  const schema = resolvePointer(document, String($ref));
  assert.ok(isNode(schema), String($ref));
  return schema;
}
