import { OpenAPIBackend, type Document } from 'openapi-backend';
import type { Contract } from '../../contract/contract.js';
import { OperatorError } from '../../errors.js';

type Router = OpenAPIBackend['router'];
type RoutedOperation = ReturnType<Router['getOperations']>[number];
type RoutedRequest = Parameters<Router['matchOperation']>[0];

/** Handles a routed request. `path` holds the raw path parameters. */
export type RouteHandler<Exchange, Result> = (path: Readonly<Record<string, string>>, exchange: Exchange) => Result;

export interface ContractRouter<Exchange, Result> {
  /** Routes by method and exact path to the operation's handler, else to `notFound` or `methodNotAllowed`. */
  route(method: string, path: string, exchange: Exchange): Promise<Result>;
}

export interface RouteHandlers<Exchange, Result> {
  readonly operations: ReadonlyMap<string, RouteHandler<Exchange, Result>>;
  readonly notFound: (exchange: Exchange) => Result;
  readonly methodNotAllowed: (exchange: Exchange) => Result;
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
    definition: structuredClone(contract.document) as unknown as Document,
    strict: true,
    validate: false,
    ignoreTrailingSlashes: false,
  });
  await api.init();
  const params = giveMemory(api.router);
  const missing = api.getOperations().filter(({ operationId }) => !handlers.operations.has(operationId ?? ''));
  if (missing.length > 0) {
    throw new OperatorError(
      `The contract has operations without a handler: ${missing.map((each) => each.operationId).join(', ')}.`,
    );
  }
  for (const [operationId, handle] of handlers.operations) {
    api.register(operationId, (context, exchange: Exchange) =>
      handle(params(context.operation, context.request.path), exchange),
    );
  }
  api.register('notFound', (_context, exchange: Exchange) => handlers.notFound(exchange));
  api.register('methodNotAllowed', (_context, exchange: Exchange) => handlers.methodNotAllowed(exchange));
  return {
    route: (method, path, exchange) => api.handleRequest({ method, path, headers: {} }, exchange) as Promise<Result>,
  };
}

const none = {};

class ContractBackend extends OpenAPIBackend {
  /** The built-in check supports only OpenAPI 3.0; the linters check this document. */
  override validateDefinition(): Document {
    return this.document;
  }
}

/** Replaces the router's per-request work by precomputed lookups. Returns a reader of raw path parameters. */
function giveMemory(router: Router): (operation: RoutedOperation, path: string) => Record<string, string> {
  const operations = router.getOperations();
  const fixed = new Map(operations.map((operation) => [operation.path, operation]));
  const templates = operations
    .filter((operation) => operation.path.includes('{'))
    .map((operation) => ({ operation, ...compileTemplate(operation.path) }));
  router.getOperations = () => operations;
  router.matchOperation = (request: RoutedRequest) => {
    const operation = fixed.get(request.path) ?? templates.find(({ pattern }) => pattern.test(request.path))?.operation;
    if (operation === undefined) throw new Error('404-notFound');
    if (operation.method !== request.method) throw new Error('405-methodNotAllowed');
    return operation;
  };
  // The operation reads its own parameters; the router needs only method and path.
  router.parseRequest = ({ method, path }) => ({
    method,
    path,
    params: none,
    headers: none,
    query: none,
    cookies: none,
    requestBody: undefined,
  });
  const byOperation = new Map(templates.map((template) => [template.operation.operationId, template]));
  return (operation, path) => {
    const template = byOperation.get(operation.operationId);
    const values = template?.pattern.exec(path)?.slice(1) ?? [];
    return Object.fromEntries((template?.names ?? []).map((name, index) => [name, values[index] ?? '']));
  };
}

function compileTemplate(path: string): { pattern: RegExp; names: string[] } {
  const names = [...path.matchAll(/\{([^}]+)\}/g)].map((match) => match[1] ?? '');
  const source = path
    .split(/\{[^}]+\}/)
    .map((literal) => literal.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('([^/]+)');
  return { pattern: new RegExp(`^${source}$`), names };
}
