import { SourceError } from '../../source-error.js';
import { expectList, getJson, isObject } from '../../upstream/get-json.js';
import type { Upstream, UpstreamRequest } from '../../upstream/upstream.js';
import { isKnown } from '../../../absence.js';
import { digestOf } from '../../read/digest-of.js';
import { textOf } from '../../values/text.js';
import { createPageGuard } from '../page-guard.js';
import type { RecordMapping } from '../record-mapping.js';

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

/** A second dataset of the same server that completes rows by parcel number. */
export interface ParcelJoin {
  readonly dataset: string;
  /** Its column with the parcel number. */
  readonly key: string;
  /** Its format of a number, `#` for each digit, such as `##-##-###-###-####`; undefined for digits only. */
  readonly pattern?: string | undefined;
  /** Columns added to rows; the mapping reads them like the row's own. */
  readonly columns: readonly string[];
  /** SoQL condition, such as the year of the roll; undefined for all rows. */
  readonly where?: string | undefined;
}

const parcelsPerQuery = 100;
/** More pages than the rows of one query's parcels can fill. */
const maxPagesPerQuery = 100;

/**
 * Completes rows from the second dataset; a row whose parcel is not there stays unchanged. Of several rows for a parcel
 * the first by `:id` counts. Numbers are compared without separators, since datasets write them differently.
 */
export async function joinParcels(
  rows: readonly unknown[],
  mapping: RecordMapping,
  join: ParcelJoin,
  baseUrl: string,
  ask: (query: SodaQuery) => Promise<SodaPage>,
): Promise<readonly unknown[]> {
  const column = mapping.columns.parcelId ?? '';
  const bareOf = (row: unknown) => (isObject(row) ? toBare(row[column]) : undefined);
  const wanted = [...new Set(rows.map(bareOf).filter((bare) => bare !== undefined))];
  const found = new Map<string, Readonly<Record<string, unknown>>>();
  for (let start = 0; start < wanted.length; start += parcelsPerQuery) {
    const spelled = wanted.slice(start, start + parcelsPerQuery).map((bare) => `'${spell(bare, join.pattern)}'`);
    const condition = `\`${join.key}\` in (${spelled.join(',')})`;
    const parcels = await askAll({
      url: `${baseUrl}/resource/${join.dataset}.json`,
      select: [join.key, ...join.columns],
      where: join.where === undefined ? condition : `(${join.where}) and ${condition}`,
      order: ':id',
      limit: 1_000,
    });
    for (const parcel of parcels.filter(isObject)) {
      const bare = toBare(parcel[join.key]);
      if (bare !== undefined && !found.has(bare)) found.set(bare, pick(parcel, join.columns));
    }
  }
  return rows.map((row) => (isObject(row) ? { ...found.get(bareOf(row) ?? ''), ...row } : row));

  async function askAll(query: Omit<SodaQuery, 'offset'>): Promise<readonly unknown[]> {
    const expectOtherRows = createPageGuard(maxPagesPerQuery);
    const parcels: unknown[] = [];
    for (;;) {
      const { rows: page = [] } = await ask({ ...query, offset: parcels.length });
      parcels.push(...page);
      if (page.length < query.limit) return parcels;
      expectOtherRows(digestOf(page));
    }
  }
}

/** Letters and digits only, safe inside a query. */
function toBare(value: unknown): string | undefined {
  const text = textOf(value);
  const bare = isKnown(text) ? text.value.toUpperCase().replace(/[^A-Z0-9]/g, '') : '';
  return bare === '' || bare.length > 64 ? undefined : bare;
}

function spell(bare: string, pattern: string | undefined): string {
  if (pattern?.split('#').length !== bare.length + 1) return bare;
  let at = 0;
  return pattern.replace(/#/g, () => bare[at++] ?? '');
}

function pick(row: Readonly<Record<string, unknown>>, columns: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    columns.filter((column) => Object.hasOwn(row, column)).map((column) => [column, row[column]]),
  );
}
