import type { ContractDocument, ContractOperation, ContractParameter } from '../../contract/contract.js';
import { readPathValues } from '../../contract/paths.js';
import { follow, resolvePointer, textSchema, type SchemaNode as Schema } from '../../contract/read-operations.js';

/** An operation in the x402 extension `bazaar`: a request, an example of its reply, and a schema of both. */
export interface BazaarDeclaration {
  readonly info: { readonly input: object; readonly output?: object };
  /** The path with a colon before each parameter's name; only where it has parameters. */
  readonly routeTemplate?: string;
  readonly schema: object;
}

/**
 * How much a declaration says of each parameter: all; no description; its name and type; its name; nothing, since the
 * contract, which every 402 names, has them.
 */
export type Detail = 'described' | 'limited' | 'typed' | 'named' | 'unnamed';

/** How short a declaration is; by default it says all. */
export interface Shortened {
  readonly withExample: boolean;
  readonly detail: Detail;
}

/** The values of a request's parameters. */
export interface BazaarInput {
  readonly queryParams: unknown;
  /** Only of a path that has parameters. */
  readonly pathParams?: unknown;
}

/**
 * Reads a request of one operation. `path`: the concrete one. `query`: the parameters that were given; where the
 * contract requires another one, its example stands for it.
 */
export type ReadBazaarInput = (path: string, query: Readonly<Record<string, unknown>>) => BazaarInput;

/** Declares such a request for catalogs. */
export type DeclareForBazaar = (input: BazaarInput, shortened?: Shortened) => BazaarDeclaration;

/** The example of an output shows the columns of a record's summary, else so many of its first members. */
const exampleMembers = 5;

/**
 * Creates the declarations of an operation, from the contract alone: types and limits of its query and path parameters,
 * and the first members of a record as an example.
 */
export function createDeclareForBazaar(document: ContractDocument, operation: ContractOperation): DeclareForBazaar {
  const parameters = operation.parameters.filter((each) => each.in === 'query');
  const inPath = operation.parameters.filter((each) => each.in === 'path');
  const replySchema = replySchemaOf(document, operation);
  const example = exampleOf(document, replySchema);
  const makeSchema = (detail: Detail) => ({
    type: 'object',
    properties: {
      input: {
        type: 'object',
        properties: {
          type: { const: 'http' },
          method: { const: 'GET' },
          queryParams: parametersSchema(document, parameters, detail),
          ...(inPath.length > 0 && { pathParams: parametersSchema(document, inPath, detail) }),
        },
        required: ['type', 'method'],
        additionalProperties: false,
      },
      // The contract describes the records.
      output:
        detail !== 'described' && detail !== 'limited'
          ? { properties: { example: { type: replySchema['type'] } } }
          : { type: 'object', properties: { type: { const: 'json' }, example: { type: replySchema['type'] } } },
    },
    required: ['input'],
  });
  const schemas = {
    ...{ described: makeSchema('described'), limited: makeSchema('limited'), typed: makeSchema('typed') },
    ...{ named: makeSchema('named'), unnamed: makeSchema('unnamed') },
  };
  const routeTemplate = operation.path.replaceAll(/\{(\w+)\}/g, ':$1');

  return (input, { withExample, detail } = { withExample: true, detail: 'described' }) => ({
    info: {
      input: { type: 'http', method: 'GET', ...input },
      ...(example !== undefined && withExample && { output: { type: 'json', example } }),
    },
    ...(inPath.length > 0 && { routeTemplate }),
    schema: schemas[detail],
  });
}

/** Creates what reads the requests of an operation. */
export function createReadBazaarInput(document: ContractDocument, operation: ContractOperation): ReadBazaarInput {
  const required = exampleOfRequired(
    document,
    operation.parameters.filter((each) => each.in === 'query'),
  );
  const hasPathParams = operation.path.includes('{');

  function pathParamsOf(path: string): Record<string, string> {
    const values = Object.entries(readPathValues(operation.path, path) ?? {});
    return Object.fromEntries(values.map(([name, value]) => [name, decodeURIComponent(value)]));
  }

  return (path, query) => ({
    queryParams: {
      ...required,
      // Lists are written with commas.
      ...Object.fromEntries(
        Object.entries(query).map(([name, value]) => [name, Array.isArray(value) ? value.join(',') : value]),
      ),
    },
    ...(hasPathParams && { pathParams: pathParamsOf(path) }),
  });
}

function parametersSchema(document: ContractDocument, parameters: readonly ContractParameter[], detail: Detail) {
  if (detail === 'unnamed') return { type: 'object' };
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
        } = textSchema(document, follow(document, resolvePointer(document, pointer)));
        if (detail === 'named') return [name, {}];
        if (detail === 'typed') return [name, { type: limits['type'] }];
        return [name, detail === 'described' ? { ...limits, description } : limits];
      }),
    ),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

/** Lookup's address has an example, so that no catalog learns the one that was asked for. */
function exampleOfRequired(
  document: ContractDocument,
  parameters: readonly ContractParameter[],
): Record<string, unknown> {
  return Object.fromEntries(
    parameters
      .filter(({ required }) => required)
      .map(({ name, pointer }) => {
        const { example } = resolvePointer(document, pointer.replace(/\/schema$/, '')) as Schema;
        return [name, example];
      }),
  );
}

function replySchemaOf(document: ContractDocument, operation: ContractOperation): Schema {
  const pointer = operation.replies.get(200)?.get('application/json');
  const schema = pointer === undefined ? {} : follow(document, resolvePointer(document, pointer));
  // The default view, which a request without `view` buys.
  const [first] = (schema['anyOf'] ?? []) as readonly unknown[];
  return first === undefined ? schema : follow(document, first);
}

/** A short example: of several kinds the first, of a list one record, of a record a part of its example. */
function exampleOf(document: ContractDocument, schema: Schema): unknown {
  if (schema['type'] === 'array') {
    const record = exampleOf(document, follow(document, schema['items']));
    return record === undefined ? undefined : [record];
  }
  const [first] = (schema['oneOf'] ?? []) as readonly unknown[];
  if (first !== undefined) return exampleOf(document, follow(document, first));
  const columns = schema['x-summary'] as readonly string[] | undefined;
  const example = Object.entries((schema['example'] ?? examplesOfMembers(document, schema)) as Schema);
  const members = example
    .filter(([name]) => columns?.includes(name) ?? true)
    .slice(0, columns?.length ?? exampleMembers)
    .flatMap(([name, value]) => {
      const shown = shorten(value);
      return shown === undefined ? [] : [[name, shown] as const];
    });
  return members.length > 0 ? Object.fromEntries(members) : undefined;
}

/** The first record of a list; the first plain members of a record; otherwise the value. */
function shorten(value: unknown): unknown {
  if (typeof value !== 'object') return value;
  if (Array.isArray(value)) return typeof value[0] === 'object' ? [shorten(value[0])] : undefined;
  const members = Object.entries(value ?? {})
    .filter(([, member]) => typeof member !== 'object')
    .slice(0, exampleMembers);
  return members.length > 0 ? Object.fromEntries(members) : undefined;
}

function examplesOfMembers(document: ContractDocument, { properties = {} }: Schema): Schema {
  return Object.fromEntries(
    Object.entries(properties as Readonly<Record<string, Schema>>).map(([name, member]) => [
      name,
      member['example'] ?? follow(document, member)['example'] ?? exampleOf(document, follow(document, member)),
    ]),
  );
}
