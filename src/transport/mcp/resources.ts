import type { ReadResourceResult, Resource } from '@modelcontextprotocol/server';
import type { Contract, ContractDocument } from '../../contract/contract.js';
import { resolvePointer, type SchemaNode } from '../../contract/read-operations.js';
import type { OperationRequest, Run } from '../../operations/operation.js';
import { textOf } from './text-of.js';

/** What agents can read beside the tools. */
export interface Resources {
  readonly list: readonly Resource[];
  readonly template: { readonly uriTemplate: string; readonly name: string; readonly mimeType: string };
  /** Undefined when there is no such resource, or when it cannot be read now. */
  read(uri: string, caller: Caller): Promise<ReadResourceResult | undefined>;
}

type Caller = Pick<OperationRequest, 'requestId' | 'address' | 'isAbandoned'>;

const operationsOf = new Map([
  ['feed:meta', 'getMeta'],
  ['feed:coverage', 'getCoverage'],
  ['feed:llms', 'getLlmsText'],
]);
const schemas = 'feed:schema/';
const json = 'application/json';

/** The free documents, and of each tool the JSON schema of its reply. */
export function createResources(contract: Contract, operations: ReadonlyMap<string, Run>): Resources {
  const { document } = contract;

  function schemaOf(name: string): object | undefined {
    const operation = contract.operations.find(({ tool }) => tool?.name === name);
    const pointer = operation?.replies.get(200)?.get(json);
    return pointer === undefined ? undefined : standingAlone(document, resolvePointer(document, pointer) as SchemaNode);
  }

  return {
    list: [...operationsOf].map(([uri, operationId]) => {
      const title = contract.operations.find((each) => each.operationId === operationId)?.summary ?? uri;
      return { uri, name: uri, title, mimeType: uri === 'feed:llms' ? 'text/plain' : json };
    }),
    template: { uriTemplate: `${schemas}{name}`, name: "The JSON schema of a tool's reply over HTTP", mimeType: json },
    async read(uri, caller) {
      const schema = uri.startsWith(schemas) ? schemaOf(uri.slice(schemas.length)) : undefined;
      if (schema !== undefined) return { contents: [{ uri, mimeType: json, text: JSON.stringify(schema) }] };
      const run = operations.get(operationsOf.get(uri) ?? '');
      const reply = await run?.({
        ...caller,
        query: '',
        path: {},
        paymentSignatures: [],
        walletProofs: [],
        ifNoneMatch: undefined,
        headOnly: false,
      });
      if (reply?.status !== 200) return undefined;
      const mimeType = uri === 'feed:llms' ? 'text/plain' : json;
      return { contents: [{ uri, mimeType, text: textOf(reply) }] };
    },
  };
}

/** A schema with all that it refers to. */
function standingAlone(document: ContractDocument, schema: SchemaNode): object {
  const found = new Map<string, unknown>();
  const follow = (node: unknown): void => {
    for (const [, name = ''] of JSON.stringify(node).matchAll(/"#\/components\/schemas\/([^"/]+)"/g)) {
      if (found.has(name)) continue;
      found.set(name, document.components['schemas']?.[name]);
      follow(found.get(name));
    }
  };
  follow(schema);
  return { ...schema, components: { schemas: Object.fromEntries(found) } };
}
