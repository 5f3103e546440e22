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
  /** The version that the caller has already. */
  readonly knownVersion?: string | undefined;
}

export interface SodaPage {
  /** Undefined: the table is of the version that the caller has. */
  readonly rows: readonly unknown[] | undefined;
  /** When the table last changed, as the server writes it; undefined when it does not say. */
  readonly version: string | undefined;
}

/** Asks a dataset one question. Rejects when a column does not exist or the query is refused. Source: SODA 2.1. */
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
    // "The request is being worked on": the same request gets the answer a little later.
    isPending: (status) => status === 202,
    expects: [400],
    ...(knownVersion !== undefined && { validators: { lastModified: knownVersion } }),
  });
  if (reply.status === 400) throw refused(new URL(url).host, reply.body);
  // The date of the table itself; Last-Modified may be that of a cache before it.
  const version = reply.headers['x-soda2-truth-last-modified'] ?? reply.headers['last-modified'];
  return {
    rows: reply.status === 304 ? undefined : expectList(reply.body, 'The page of the dataset'),
    version: reply.status === 304 ? knownVersion : typeof version === 'string' ? version : undefined,
  };
}

/** The server's code says what is wrong in closed words; its message may repeat the query. */
function refused(host: string, body: unknown): SourceError {
  const code = isObject(body) && typeof body.code === 'string' && /^[a-z.-]{1,80}$/.test(body.code) ? body.code : '';
  const advice = code.endsWith('no-such-column')
    ? 'A mapped column does not exist any more. Correct the mapping.'
    : 'Correct the condition and the columns in the configuration.';
  return new SourceError('upstream_refused', `${host} refuses the query${code === '' ? '' : ` (${code})`}. ${advice}`);
}
