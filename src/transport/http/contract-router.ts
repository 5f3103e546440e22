import { OpenAPIBackend, type Context, type Document } from 'openapi-backend';
import type { Contract } from '../../contract/contract.js';
import { OperatorError } from '../../errors.js';

type Router = OpenAPIBackend['router'];
type RoutedRequest = Parameters<Router['matchOperation']>[0];

/** The result of routing. `request.params` holds the raw path parameters. */
export interface Routed {
  readonly request: Pick<Context['request'], 'params'>;
}

/** Handles a routed request. */
export type RouteHandler<Exchange, Result> = (routed: Routed, exchange: Exchange) => Result;

/** Routes by method and exact path to the operation's handler, else to `notFound` or `methodNotAllowed`. */
export interface ContractRouter<Exchange, Result> {
  handleRequest(request: RoutedRequest, exchange: Exchange): Promise<Result>;
}

export interface RouteHandlers<Exchange, Result> {
  readonly operations: ReadonlyMap<string, RouteHandler<Exchange, Result>>;
  readonly notFound: RouteHandler<Exchange, Result>;
  readonly methodNotAllowed: RouteHandler<Exchange, Result>;
}

/**
 * Routes the contract's operations with openapi-backend. It only routes: our own Ajv validates parameters and replies.
 * Routing is strict: no trailing slash, no trimming, no coercion.
 * @throws OperatorError naming operations without a handler.
 */
export async function createContractRouter<Exchange, Result>(
  contract: Contract,
  handlers: RouteHandlers<Exchange, Result>,
): Promise<ContractRouter<Exchange, Result>> {
  const api = new ContractBackend({
    // Its schemas would take a start longer than all other parts of routing.
    definition: { openapi: '3.1.0', info: contract.document.info, paths: routesOf(contract) } as unknown as Document,
    strict: true,
    validate: false,
    ignoreTrailingSlashes: false,
  });
  await api.init();
  giveMemory(api.router);
  const missing = api.getOperations().filter(({ operationId }) => !handlers.operations.has(operationId ?? ''));
  if (missing.length > 0) {
    throw new OperatorError(
      `The contract has operations without a handler: ${missing.map((each) => each.operationId).join(', ')}.`,
    );
  }
  for (const [operationId, handle] of handlers.operations) api.register(operationId, handle);
  api.register('notFound', handlers.notFound);
  api.register('methodNotAllowed', handlers.methodNotAllowed);
  return api;
}

/** The operationIds of the contract, by path and method. */
function routesOf({ operations }: Contract): Record<string, Record<string, { readonly operationId: string }>> {
  const routes: ReturnType<typeof routesOf> = {};
  for (const { path, method, operationId } of operations) (routes[path] ??= {})[method] = { operationId };
  return routes;
}

const none = {};

class ContractBackend extends OpenAPIBackend {
  /** The built-in check supports only OpenAPI 3.0; the linters check this document. */
  override validateDefinition(): Document {
    return this.document;
  }
}

/** Replaces the router's per-request work by precomputed lookups. */
function giveMemory(router: Router): void {
  const operations = router.getOperations();
  const fixed = new Map(operations.map((operation) => [operation.path, operation]));
  const templates = operations
    .filter((operation) => operation.path.includes('{'))
    .map((operation) => ({ operation, ...compileTemplate(operation.path) }));
  const templateOf = new Map(templates.map((template) => [template.operation.operationId, template]));
  router.getOperations = () => operations;
  router.matchOperation = (request: RoutedRequest) => {
    const operation = fixed.get(request.path) ?? templates.find(({ pattern }) => pattern.test(request.path))?.operation;
    if (operation === undefined) throw new Error('404-notFound');
    if (operation.method !== request.method) throw new Error('405-methodNotAllowed');
    return operation;
  };
  // The operation reads its own query.
  router.parseRequest = ({ method, path }, operation) => {
    const template = templateOf.get(operation?.operationId);
    const params = template === undefined ? none : readPath(template, path);
    return { method, path, params, headers: none, query: none, cookies: none, requestBody: undefined };
  };
}

function readPath({ pattern, names }: ReturnType<typeof compileTemplate>, path: string): Record<string, string> {
  const values = pattern.exec(path)?.slice(1) ?? [];
  return Object.fromEntries(names.map((name, index) => [name, values[index] ?? '']));
}

function compileTemplate(path: string): { pattern: RegExp; names: string[] } {
  const names = [...path.matchAll(/\{([^}]+)\}/g)].map((match) => match[1] ?? '');
  const source = path
    .split(/\{[^}]+\}/)
    .map((literal) => literal.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('([^/]+)');
  return { pattern: new RegExp(`^${source}$`), names };
}
