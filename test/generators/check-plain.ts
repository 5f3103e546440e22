import assert from 'node:assert/strict';
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormatsModule from 'ajv-formats';
import { loadContract } from '../../src/contract/load-contract.js';
import { plainDocument, plainDocument30, type PlainDocument } from '../../src/contract/plain-document.js';
import type { SchemaNode } from '../contract/schema-nodes.js';

type Responses = Readonly<Record<string, SchemaNode>>;

/** Where a document for generators has the schema of a reply. */
export function replySchema(document: PlainDocument, path: string, status: number): SchemaNode {
  const { get } = document.paths[path] as { readonly get: { readonly responses: Responses } };
  const { $ref } = get.responses[status] as { readonly $ref: string };
  const { responses = {} } = document['components'] as Readonly<Record<string, Responses>>;
  const content = responses[$ref.split('/').at(-1) ?? '']?.['content'] as Record<string, { schema: SchemaNode }>;
  const [{ schema } = { schema: {} }] = Object.values(content);
  return schema;
}

const { document } = loadContract();
export const plain = plainDocument(document);
export const plain30 = plainDocument30(plain);
const options = { strict: false, validateSchema: false, allErrors: true };
const validators = [
  [plain, new Ajv2020(options)],
  [plain30, new Ajv(options)],
] as const;
for (const [contract, ajv] of validators) {
  addFormatsModule.default(ajv as Ajv);
  ajv.addSchema({ components: contract['components'] }, 'plain');
}

/** Asserts that a reply is what both documents for generators say of it. */
export function assertPlain(path: string, status: number, body: unknown, told: string): void {
  for (const [contract, ajv] of validators) {
    const fault = findFault(ajv, replySchema(contract, path, status), body);
    assert.equal(fault, undefined, `${told}, ${contract.openapi}: ${JSON.stringify(fault)}`);
  }
}

/** Whether a reply with 200 is of the view that the documents for generators have. */
export function isPlain(path: string, body: unknown): boolean {
  return validators.every(([contract, ajv]) => findFault(ajv, replySchema(contract, path, 200), body) === undefined);
}

function findFault(ajv: Ajv | Ajv2020, { $ref }: SchemaNode, body: unknown): ErrorObject | undefined {
  const check = ajv.getSchema(`plain${String($ref)}`) as ValidateFunction;
  return check(body) ? undefined : check.errors?.[0];
}
