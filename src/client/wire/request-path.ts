import { createClient } from '../../../generated/client/index.js';
import { operationPaths, type OperationId } from './operation-paths.js';

const { buildUrl } = createClient({ baseUrl: '' });

/** Path and query of a request. Query parameters are sorted by name, so that equal requests have equal paths. */
export function requestPath(id: OperationId, parameters: Readonly<Record<string, unknown>> = {}): string {
  const url = operationPaths[id];
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined);
  const isInPath = ([name]: readonly [string, unknown]) => url.includes(`{${name}}`);
  const query = given.filter((each) => !isInPath(each)).sort(([a], [b]) => (a < b ? -1 : 1));
  return buildUrl({ url, path: Object.fromEntries(given.filter(isInPath)), query: Object.fromEntries(query) });
}
