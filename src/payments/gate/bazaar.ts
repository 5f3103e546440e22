import type { ContractDocument, ContractOperation, ContractParameter } from '../../contract/contract.js';
import { follow, resolvePointer, type SchemaNode as Schema } from '../../contract/read-operations.js';

/** An operation in the x402 extension `bazaar`: an example request and reply, and a schema of both. */
export interface BazaarDeclaration {
  readonly info: { readonly input: object; readonly output?: object };
  /** The path with a colon before each parameter's name; only where it has parameters. */
  readonly routeTemplate?: string;
  readonly schema: object;
}

/** The example of an output shows at most this many members. */
const exampleMembers = 6;

/**
 * Declares an operation for catalogs, from the contract alone: types and limits of its query and path parameters, and
 * the first members of a record as an example. Three declarations, fullest first: with the descriptions of parameters,
 * without them, and also without the example.
 */
export function declareForBazaar(
  document: ContractDocument,
  operation: ContractOperation,
): readonly [BazaarDeclaration, ...BazaarDeclaration[]] {
  const parameters = operation.parameters.filter((each) => each.in === 'query');
  const inPath = operation.parameters.filter((each) => each.in === 'path');
  const replySchema = replySchemaOf(document, operation);
  const example = exampleOf(document, replySchema);
  // The contract describes the records.
  const outputSchema = {
    type: 'object',
    properties: { type: { const: 'json' }, example: { type: replySchema['type'] } },
  };
  const pathInfo = inPath.length > 0 ? { pathParams: exampleOfEach(document, inPath) } : {};
  const declare = (isDescribed: boolean, output: unknown): BazaarDeclaration => ({
    info: {
      input: { type: 'http', method: 'GET', queryParams: exampleOfEach(document, parameters), ...pathInfo },
      ...(output !== undefined && { output: { type: 'json', example: output } }),
    },
    ...(inPath.length > 0 && { routeTemplate: operation.path.replaceAll(/\{(\w+)\}/g, ':$1') }),
    schema: {
      type: 'object',
      properties: {
        input: {
          type: 'object',
          properties: {
            type: { const: 'http' },
            method: { const: 'GET' },
            queryParams: parametersSchema(document, parameters, isDescribed),
            ...(inPath.length > 0 && { pathParams: parametersSchema(document, inPath, isDescribed) }),
          },
          required: ['type', 'method'],
          additionalProperties: false,
        },
        output: outputSchema,
      },
      required: ['input'],
    },
  });
  return [declare(true, example), declare(false, example), declare(false, undefined)];
}

function parametersSchema(document: ContractDocument, parameters: readonly ContractParameter[], isDescribed: boolean) {
  const required = parameters.filter((each) => each.required).map(({ name }) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(
      parameters.map(({ name, pointer, description }) => {
        // The description of the schema gives way to that of the parameter. Some catalogs do not know names of formats;
        // patterns say as much.
        const {
          description: _,
          example: __,
          format: ___,
          ...limits
        } = follow(document, resolvePointer(document, pointer));
        return [name, isDescribed ? { ...limits, description } : limits];
      }),
    ),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

/** The first parameter, and all that must be there. */
function exampleOfEach(document: ContractDocument, parameters: readonly ContractParameter[]): Record<string, unknown> {
  const shown = parameters.filter((each, index) => each.required || index === 0);
  return Object.fromEntries(
    shown.map(({ name, pointer }) => {
      const { example } = resolvePointer(document, pointer.replace(/\/schema$/, '')) as Schema;
      return [name, example];
    }),
  );
}

function replySchemaOf(document: ContractDocument, operation: ContractOperation): Schema {
  const pointer = operation.replies.get(200)?.get('application/json');
  return pointer === undefined ? {} : follow(document, resolvePointer(document, pointer));
}

/**
 * A short example: of a list one record, of several kinds the first, of a record the first members of its example.
 * Members that are objects or lists are left out.
 */
function exampleOf(document: ContractDocument, schema: Schema): unknown {
  if (schema['type'] === 'array') {
    const record = exampleOf(document, follow(document, schema['items']));
    return record === undefined ? undefined : [record];
  }
  const [first] = (schema['anyOf'] ?? []) as readonly unknown[];
  if (first !== undefined) return exampleOf(document, follow(document, first));
  const members = Object.entries((schema['example'] ?? examplesOfMembers(document, schema)) as Schema)
    .filter(([, example]) => example !== undefined && typeof example !== 'object')
    .slice(0, exampleMembers);
  return members.length > 0 ? Object.fromEntries(members) : undefined;
}

function examplesOfMembers(document: ContractDocument, { properties = {} }: Schema): Schema {
  return Object.fromEntries(
    Object.entries(properties as Readonly<Record<string, Schema>>).map(([name, member]) => [
      name,
      member['example'] ?? follow(document, member)['example'],
    ]),
  );
}
