import type { Tool } from '@modelcontextprotocol/server';
import type { ContractDocument, ContractOperation, ContractParameter } from '../../contract/contract.js';
import { resolvePointer } from '../../contract/read-operations.js';
import { follow, type SchemaNode } from '../../contract/schema-node.js';
import { recordsPerCall } from './tool.js';

/** The arguments of a tool: the operation's parameters, and for free tools the view arguments. */
export function inputSchema(document: ContractDocument, operation: ContractOperation): Tool['inputSchema'] {
  const parameters = operation.parameters.filter((each) => each.in !== 'header');
  const required = parameters.filter((each) => each.required).map(({ name }) => name);
  return {
    type: 'object',
    properties: {
      ...Object.fromEntries(parameters.map((each) => [each.name, argumentSchema(document, each)])),
      ...(operation.priceUsd === undefined && viewSchemas),
    },
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

const viewSchemas = {
  part: {
    type: 'string',
    pattern: '^(/.*)?$',
    description: 'What of the reply to show, as a JSON pointer such as /3 or /scoring. Default: all.',
  },
  from: {
    type: 'integer',
    minimum: 0,
    description: 'Of a list: the first row to show, from 0.',
  },
};

function argumentSchema(document: ContractDocument, { name, pointer, description }: ContractParameter): SchemaNode {
  const { description: _, example: __, ...limits } = follow(document, resolvePointer(document, pointer));
  if (name === 'limit') {
    return { ...limits, maximum: recordsPerCall, default: recordsPerCall, description: 'Most records in one result.' };
  }
  const { example } = resolvePointer(document, pointer.replace(/\/schema$/, '')) as SchemaNode;
  return { ...limits, description, ...(example !== undefined && { examples: [example] }) };
}
