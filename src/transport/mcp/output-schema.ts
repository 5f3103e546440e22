import type { Tool } from '@modelcontextprotocol/server';
import type { ContractDocument, ContractOperation } from '../../contract/contract.js';
import { follow, type SchemaNode } from '../../contract/schema-node.js';

/**
 * The possible answers of a tool, in a short schema for models: the result, the x402 offer, or a problem, since clients
 * validate errors too. It holds only the contract's types, without descriptions. No member of `data` is required,
 * because members that do not fit are omitted and named in `rest`.
 */
export function outputSchema(document: ContractDocument, operation: ContractOperation): Tool['outputSchema'] {
  const pointer = operation.replies.get(200)?.get('application/json');
  const data = pointer === undefined ? {} : shorten(document, { $ref: pointer }, 1);
  const isShownWhole = operation.priceUsd !== undefined;
  return {
    type: 'object',
    properties: { ...members, ...refusal, ...(isShownWhole && { data }) },
    anyOf: [
      {
        required: ['data'],
        ...(!isShownWhole && { if: { not: { required: ['part'] } }, then: { properties: { data } } }),
      },
      { required: ['x402Version', 'accepts'] },
      { required: ['reason', 'detail'] },
    ],
  };
}

const members = {
  total: { type: 'integer', description: 'How many records match in all.' },
  shortened: { type: 'boolean', description: 'Records are shown by their main columns only.' },
  rest: {
    type: 'object',
    description: 'What is not shown is free: call its tool with its arguments and one of its parts.',
  },
  next_page: { type: 'object', description: 'The free call that shows further records.' },
  full_reply: { type: 'string', description: 'Address of all that was bought, free.' },
};

const refusal = {
  reason: { type: 'string' },
  detail: { type: 'string' },
  x402Version: { type: 'integer' },
  accepts: { type: 'array' },
};

/** The types of a schema to the given depth of objects, without limits, texts and conditions. */
function shorten(document: ContractDocument, node: unknown, depth: number): SchemaNode {
  const { type, items, properties, enum: values } = follow(document, node);
  if (type === undefined) return {};
  if (type === 'array') return { type, ...(items !== undefined && { items: shorten(document, items, depth) }) };
  if (type !== 'object') return { type, ...(Array.isArray(values) && { enum: values as unknown[] }) };
  if (depth === 0 || typeof properties !== 'object') return { type };
  const described = Object.entries(properties as SchemaNode).map(([name, member]): [string, SchemaNode] => [
    name,
    shorten(document, member, depth - 1),
  ]);
  return { type, properties: Object.fromEntries(described) };
}
