import { createHash } from 'node:crypto';
import { accessOf, type SourceAccess } from '../source-access.js';
import { SourceError } from '../source-error.js';
import { expectList, expectObject, getJson, isObject } from '../upstream/get-json.js';

/** Access to a layer of an ArcGIS service. */
export interface LayerAccess extends SourceAccess {
  /** Path of the layer below the base URL, such as `services/x/FeatureServer/0`. */
  readonly layer: string;
}

/**
 * Requests a layer's description, or with `/query` its rows. The service returns errors with status 200: a temporary
 * one is retried like the same HTTP status. Source: ArcGIS REST API.
 *
 * @throws SourceError for any other error
 */
export async function askLayer(
  source: LayerAccess,
  operation: '' | '/query',
  parameters: Readonly<Record<string, string>>,
): Promise<Readonly<Record<string, unknown>>> {
  const { name, upstream, baseUrl, layer } = source;
  const url = `${baseUrl}/${layer}${operation}?${new URLSearchParams({ ...parameters, f: 'json' }).toString()}`;
  const reply = await getJson(upstream, { ...accessOf(source), url, findPassingFault });
  const answer = expectObject(reply.body, `The answer of ${name}`);
  refuseErrorBody(answer, name);
  return answer;
}

function findPassingFault(body: unknown): string | undefined {
  const code = errorCodeOf(body);
  return code !== undefined && (code === 429 || code >= 500) && code < 600 ? `it returns error ${code}` : undefined;
}

function refuseErrorBody(answer: Readonly<Record<string, unknown>>, name: string): void {
  const code = errorCodeOf(answer);
  if (code === undefined) return;
  const advice =
    code === 498 || code === 499
      ? 'The layer requires a token; it is not public.'
      : 'Correct the layer, the condition and the columns in the configuration.';
  throw new SourceError('upstream_refused', `The service of ${name} returns error ${code} with status 200. ${advice}`);
}

function errorCodeOf(body: unknown): number | undefined {
  const error = isObject(body) ? body.error : undefined;
  return isObject(error) ? Number(error.code) : undefined;
}

/**
 * The version of a layer: the time of its last edit if the service states it, else a hash of the object ids of matching
 * rows, which changes when a row is added or removed. Source: ArcGIS REST API, Layer (`editingInfo.lastEditDate`) and
 * Query (`returnIdsOnly`).
 */
export async function readLayerVersion(source: LayerAccess, where: string): Promise<string> {
  const { editingInfo } = await askLayer(source, '', {});
  const editedAt = isObject(editingInfo) ? editingInfo.lastEditDate : undefined;
  if (typeof editedAt === 'number') return `edited ${editedAt}`;
  const { objectIds } = await askLayer(source, '/query', { where, returnIdsOnly: 'true' });
  // The service returns null when no row matches.
  const ids = objectIds === null ? [] : expectList(objectIds, `The object ids of ${source.name}`).map(String);
  return `rows ${createHash('sha256').update(ids.sort().join()).digest('hex')}`;
}

/**
 * How many rows match, by the layer's own count; undefined where the service does not count. Source: ArcGIS REST API,
 * Query (`returnCountOnly`).
 */
export async function countRows(source: LayerAccess, where: string): Promise<number | undefined> {
  const answer = await askLayer(source, '/query', { where, returnCountOnly: 'true' }).catch((error: unknown) => {
    if (error instanceof SourceError && error.code === 'upstream_refused') return {};
    throw error;
  });
  return 'count' in answer && Number.isSafeInteger(answer.count) ? Number(answer.count) : undefined;
}
