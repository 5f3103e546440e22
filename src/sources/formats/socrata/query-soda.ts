import { SourceError } from '../../source-error.js';
import { expectList, getJson, isObject } from '../../upstream/get-json.js';
import type { Upstream, UpstreamRequest } from '../../upstream/upstream.js';

export interface SodaQuery {
  readonly url: string;
  readonly select: readonly string[];
  readonly where: string | undefined;
  readonly order: string;
  readonly limit: number;
  readonly offset: number;
  /** The version the caller already has. */
  readonly knownVersion?: string | undefined;
}

export interface SodaPage {
  /** Undefined when the table still has the caller's version. */
  readonly rows: readonly unknown[] | undefined;
  /** Time of the table's last change as the server writes it; undefined when it states none. */
  readonly version: string | undefined;
}

/**
 * Queries a dataset. Source: SODA 2.1.
 *
 * @throws SourceError when a column does not exist or the server rejects the query
 */
export async function querySoda(
  upstream: Upstream,
  { url, knownVersion, request, ...query }: SodaQuery & { readonly request: Partial<UpstreamRequest> },
): Promise<SodaPage> {
  const parameters = new URLSearchParams({
    $select: query.select.map((column) => `\`${column}\``).join(','),
    ...(query.where !== undefined && { $where: query.where }),
    $order: query.order,
    $limit: `${query.limit}`,
    $offset: `${query.offset}`,
  });
  const reply = await getJson(upstream, {
    ...request,
    url: `${url}?${parameters.toString()}`,
    // "The request is being worked on": the same request succeeds a little later.
    isPending: (status) => status === 202,
    expects: [400],
    ...(knownVersion !== undefined && { validators: { lastModified: knownVersion } }),
  });
  if (reply.status === 400) throw refused(new URL(url).host, reply.body);
  // The table's own date; Last-Modified may come from a cache.
  const version = reply.headers['x-soda2-truth-last-modified'] ?? reply.headers['last-modified'];
  return {
    rows: reply.status === 304 ? undefined : expectList(reply.body, 'The page of the dataset'),
    version: reply.status === 304 ? knownVersion : typeof version === 'string' ? version : undefined,
  };
}

/** The server's code names the problem from a closed list; its message may repeat the query. */
function refused(host: string, body: unknown): SourceError {
  const code = isObject(body) && typeof body.code === 'string' && /^[a-z.-]{1,80}$/.test(body.code) ? body.code : '';
  const advice = code.endsWith('no-such-column')
    ? 'A mapped column no longer exists. Correct the mapping.'
    : 'Correct the condition and the columns in the configuration.';
  return new SourceError('upstream_refused', `${host} rejects the query${code === '' ? '' : ` (${code})`}. ${advice}`);
}
