import type { ContractDocument } from './contract.js';
import { resolvePointer, type SchemaNode } from './read-operations.js';

/**
 * The contract as validators, generators and readers of `/openapi.json` get it: plain JSON Schema, in which the two
 * shorthands of the handwritten file are spelled out.
 *
 * - `x-absence: [noi]` beside `properties`: null without a reason in `absent` is refused, and so is a reason beside a
 *   value.
 * - `allOf` with `unevaluatedProperties: false`: one closed object with the members of all parts.
 *
 * @throws Error where a part has a keyword that would be lost, or two parts have the same member.
 */
export function prepareDocument(document: ContractDocument): ContractDocument {
  function prepare(node: unknown): unknown {
    if (Array.isArray(node)) return node.map(prepare);
    if (typeof node !== 'object' || node === null) return node;
    const entries = Object.entries(node).map(([name, value]) => [name, prepare(value)] as const);
    return flatten(expandAbsence(Object.fromEntries(entries)), (part) =>
      typeof part['$ref'] === 'string' ? (prepare(resolvePointer(document, part['$ref'])) as SchemaNode) : part,
    );
  }
  return prepare(document) as ContractDocument;
}

function expandAbsence(node: SchemaNode): SchemaNode {
  const { 'x-absence': names, ...schema } = node;
  if (!Array.isArray(names)) return node;
  return { ...schema, not: { anyOf: [...names.flatMap(absenceClauses), ...refusedBy(schema)] } };
}

function absenceClauses(name: string): SchemaNode[] {
  return [
    { properties: { [name]: { type: 'null' }, absent: { not: { required: [name] } } } },
    { properties: { [name]: { not: { type: 'null' } }, absent: { required: [name] } } },
  ];
}

function flatten(node: SchemaNode, resolve: (part: SchemaNode) => SchemaNode): SchemaNode {
  const { allOf, unevaluatedProperties, ...whole } = node;
  if (!Array.isArray(allOf) || unevaluatedProperties !== false) return node;
  const parts = [whole, ...(allOf as SchemaNode[]).map((part) => memberKeywords(resolve(part)))];
  const refused = parts.flatMap(refusedBy);
  return {
    ...whole,
    type: 'object',
    additionalProperties: false,
    required: parts.flatMap(({ required = [] }) => required as string[]),
    properties: joinMembers(parts.map(({ properties = {} }) => properties as SchemaNode)),
    ...(refused.length > 0 && { not: { anyOf: refused } }),
  };
}

/** What a part adds to the whole; the whole has a description and an example of its own. */
function memberKeywords({ description: _, type: __, example: ___, ...part }: SchemaNode): SchemaNode {
  const lost = Object.keys(part).filter((keyword) => !['required', 'properties', 'not'].includes(keyword));
  if (lost.length > 0) throw new Error(`A part of an allOf has ${lost.join(', ')}, which would be lost.`);
  return part;
}

function joinMembers(parts: readonly SchemaNode[]): SchemaNode {
  const entries = parts.flatMap((part) => Object.entries(part));
  const joined = Object.fromEntries(entries);
  if (Object.keys(joined).length < entries.length) {
    throw new Error(
      `Two parts of an allOf have a member of the same name: ${entries.map(([name]) => name).join(', ')}.`,
    );
  }
  return joined;
}

/** The alternatives of `not: { anyOf: [] }`, the one form in which the contract refuses something. */
function refusedBy({ not }: SchemaNode): readonly unknown[] {
  if (not === undefined) return [];
  const { anyOf } = not as { readonly anyOf?: readonly unknown[] };
  if (anyOf === undefined) throw new Error('A not beside x-absence or allOf must be an anyOf.');
  return anyOf;
}
