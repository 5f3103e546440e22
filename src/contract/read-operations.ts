import { operationNames } from '../wire/operation-names.js';
import type { ContractDocument, ContractOperation, ContractParameter, ContractTool } from './contract.js';

interface RawParameter {
  readonly name: string;
  readonly in: ContractParameter['in'];
  readonly required?: boolean;
  readonly description?: string;
  readonly 'x-private'?: boolean;
  readonly 'x-kind'?: string;
  readonly example?: unknown;
  readonly schema: SchemaNode;
}

interface RawOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly 'x-payment-info'?: { readonly price: { readonly amount: string } };
  readonly 'x-mcp-tool'?: string;
  readonly parameters?: readonly { readonly $ref: string }[];
  readonly responses: Readonly<Record<string, { readonly $ref: string }>>;
}

interface RawResponse {
  readonly content?: Readonly<Record<string, unknown>>;
}

/** Lists the operations of a contract whose paths hold only `$ref`s to shared parameters and responses. */
export function readOperations(document: ContractDocument): ContractOperation[] {
  return Object.entries(document.paths).flatMap(([path, item]) => {
    const operation = item['get'] as RawOperation;
    return [
      {
        operationId: operation.operationId,
        method: 'get' as const,
        path,
        summary: operation.summary,
        description: operation.description.trim(),
        tags: operation.tags,
        priceUsd: operation['x-payment-info']?.price.amount,
        tool: readTool(operation),
        parameters: (operation.parameters ?? []).map(({ $ref }) => readParameter(document, $ref)),
        replies: new Map(
          Object.entries(operation.responses).map(([status, { $ref }]) => [
            Number(status),
            readMediaTypes(document, $ref),
          ]),
        ),
      },
    ];
  });
}

/** The node of the document that a JSON pointer such as `#/components/schemas/Deal` names. */
export function resolvePointer(document: ContractDocument, pointer: string): unknown {
  return pointer
    .slice(2)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((node, part) => (node as Record<string, unknown>)[part], document);
}

function readTool({ operationId, 'x-mcp-tool': description }: RawOperation): ContractTool | undefined {
  const name = (operationNames as Readonly<Record<string, string>>)[operationId];
  return description === undefined || name === undefined ? undefined : { name, description };
}

function readParameter(document: ContractDocument, pointer: string): ContractParameter {
  const raw = resolvePointer(document, pointer) as RawParameter;
  const schema = follow(document, raw.schema);
  const { type = 'string', minimum, maximum, items } = schema;
  const { enum: values } = follow(document, items ?? schema);
  return {
    name: raw.name,
    in: raw.in,
    required: raw.required ?? false,
    type: type as ContractParameter['type'],
    description: raw.description ?? '',
    kind: raw['x-kind'],
    values: values as readonly string[] | undefined,
    bounds: minimum === undefined ? undefined : [Number(minimum), Number(maximum)],
    example: raw.example === undefined ? undefined : String(raw.example),
    isPrivate: raw['x-private'] ?? false,
    pointer: `${pointer}/schema`,
  };
}

function readMediaTypes(document: ContractDocument, pointer: string): ReadonlyMap<string, string> {
  const response = resolvePointer(document, pointer) as RawResponse;
  return new Map(
    Object.keys(response.content ?? {}).map((mediaType) => [
      mediaType,
      `${pointer}/content/${mediaType.replaceAll('~', '~0').replaceAll('/', '~1')}/schema`,
    ]),
  );
}

/** A node of a JSON schema, as the contract has it. */
export type SchemaNode = Readonly<Record<string, unknown>>;

/** The node itself, with a reference followed to where it leads. */
export function follow(document: ContractDocument, node: unknown): SchemaNode {
  const { $ref } = node as { readonly $ref?: string };
  return $ref === undefined ? (node as SchemaNode) : follow(document, resolvePointer(document, $ref));
}

/** The schema of a parameter as one text: a list is written with commas. */
export function textSchema(document: ContractDocument, { items, ...schema }: SchemaNode): SchemaNode {
  if (schema['type'] !== 'array') return schema;
  const { enum: values } = follow(document, items);
  return { type: 'string', ...(Array.isArray(values) && { examples: [values.join(',')] }) };
}
