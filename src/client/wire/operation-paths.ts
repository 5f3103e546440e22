import type { Operations } from '../../../generated/operations.gen.js';
import { createClient } from '../../../generated/client/index.js';
import { operationPaths as paths } from '../../../generated/paths.gen.js';

/** Every operation of the contract, by its operationId. */
export type OperationId = keyof Operations;

/** The path of each operation, from the contract. */
export const operationPaths: Readonly<Record<OperationId, string>> = paths;

/** The operation of the contract at a path, ignoring its query; undefined when there is none. */
export function findOperation(path: string): OperationId | undefined {
  const [bare = ''] = path.split(/[?#]/);
  return patterns.find(([, pattern]) => pattern.test(bare))?.[0];
}

const patterns = Object.entries(operationPaths).map(([id, template]) => {
  const source = template.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{[^}]*\}/g, '[^/]+');
  return [id as OperationId, new RegExp(`^${source}$`)] as const;
});

const { buildUrl } = createClient({ baseUrl: '', querySerializer: { array: { explode: false } } });

/**
 * Path and query of a request. Query parameters are sorted by name, and lists are written with commas, so that equal
 * requests have equal paths.
 */
export function requestPath(id: OperationId, parameters: Readonly<Record<string, unknown>> = {}): string {
  const url = operationPaths[id];
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined);
  const isInPath = ([name]: readonly [string, unknown]) => url.includes(`{${name}}`);
  const query = given.filter((each) => !isInPath(each)).sort(([a], [b]) => (a < b ? -1 : 1));
  return buildUrl({ url, path: Object.fromEntries(given.filter(isInPath)), query: Object.fromEntries(query) });
}
