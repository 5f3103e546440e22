import { ServiceError, type Reason } from '../../errors.js';
import { countyLabel } from '../../places/metros/county-label.js';
import type { CountyName } from '../../places/metros/counties.js';
import type { DeclaredCounty } from '../../sources/declared-county-reader.js';
import {
  countiesOf,
  coverageOf,
  declaredFor,
  isPlace,
  nearestCounty,
  type AskedPlace,
  type CountyFeed,
  type CoverageQuestion,
  hasRecordOf,
} from './coverage-of.js';
import type { FeedIndex } from '../../feeds/query/feed-kind.js';
import type { LeadFilter } from '../../feeds/query/lead-kind.js';
import type { DealFilter } from '../../feeds/query/deal-kind.js';

export interface EmptyResult extends CoverageQuestion {
  /** The reason when the place is covered but nothing matches. */
  readonly reason: Reason;
  readonly detail: string;
}

/** The error for an empty result: the place is not covered, not yet read, or has no match. Never billed. */
export type ExplainEmptyResult = (what: EmptyResult) => Promise<ServiceError>;

export interface CoveragePorts {
  readonly readDeclared: () => Promise<readonly DeclaredCounty[]>;
  /** Seconds until a retry for the feed makes sense. */
  readonly retryAfterSeconds: (feed: CountyFeed) => number;
}

/** Creates the explanation of empty results from the coverage of the feed's sources. */
export function createExplainEmptyResult({ readDeclared, retryAfterSeconds }: CoveragePorts): ExplainEmptyResult {
  return async (what) => {
    const { feed, place, reason, detail } = what;
    const declared = await readDeclared();
    const { status, asked, read } = coverageOf(what, declared);
    // Without a place, `publishing/unpublished.ts` has already answered 503 until the first publication.
    if (status === 'pending' && isPlace(place)) return notYetRead(capital(feed), retryAfterSeconds(feed));
    if (status === 'none' && isPlace(place)) return outside(what, declared);
    const where = place.county === undefined ? place.state?.toUpperCase() : 'this name';
    const part =
      status === 'partial' && isPlace(place) && read > 0
        ? ` ${read} of the ${asked} counties of ${where} are read.`
        : '';
    return new ServiceError(reason, `${detail}${part} Nothing was billed.`);
  };
}

/** The error for a place whose records have not been read yet. */
export function notYetRead(records: string, retryAfterSeconds: number): ServiceError {
  const message = `${records} of this place have not been read yet.`;
  return new ServiceError('not_yet_published', message, { retryAfterSeconds });
}

const mostNames = 10;

function outside(what: EmptyResult, declared: readonly DeclaredCounty[]): ServiceError {
  const { feed, leadType, place } = what;
  const kind = leadType === undefined ? feed : `${leadType} leads`;
  const names = listByState(declaredFor(what, declared));
  return new ServiceError(
    'outside_coverage',
    `No source of ${kind} reads ${nameOf(place)}. ${capital(kind)} are read in: ${names}. Nothing was billed.`,
  );
}

function nameOf(place: AskedPlace): string {
  const [only, ...others] = countiesOf(place);
  if (only === undefined) {
    const nearest = nearestCounty(place);
    return `it: no US county has this name${nearest === undefined ? '' : ` (did you mean ${nearest}?)`}`;
  }
  if (others.length === 0) return countyLabel(only.countyFips, only.state);
  return place.county === undefined ? (place.state?.toUpperCase() ?? '') : 'any county of this name';
}

/** `Cuyahoga, Franklin, OH; Marion, IN`. */
function listByState(counties: readonly CountyName[]): string {
  if (counties.length === 0) return 'no county';
  const byState = new Map<string, string[]>();
  for (const { state, name } of counties.slice(0, mostNames)) byState.set(state, [...(byState.get(state) ?? []), name]);
  const more = counties.length > mostNames ? ` and ${counties.length - mostNames} more` : '';
  return [...byState].map(([state, names]) => `${names.join(', ')}, ${state}`).join('; ') + more;
}

function capital(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/** The error when no lead matches a filter: its place is not covered, or else `reason`. Never billed. */
export function explainNoLeads(
  filter: LeadFilter,
  index: FeedIndex<LeadFilter>,
  reason: Reason,
  explain: ExplainEmptyResult,
): Promise<ServiceError> {
  const { fromDate, toDate, minScore: _any, ...what } = filter;
  const { leadType, ...place } = what;
  const hint =
    fromDate !== undefined && toDate !== undefined && fromDate > toDate ? ' from_date is after to_date.' : '';
  const why =
    reason === 'no_exclusive_lead_available'
      ? 'No lead that matches all filters is available for an exclusive sale.'
      : 'No lead matches all filters.';
  const hasRecord = hasRecordOf(index, what);
  return explain({ feed: 'leads', leadType, place, hasRecord, reason, detail: `${why}${hint}` });
}

/**
 * The error when no deal matches a filter: the state is not covered, or nothing fits. Coverage is by state, since
 * listing sources are read by state. A hint names a minimum above its maximum. Never billed.
 */
export function explainNoDeals(filter: DealFilter, index: FeedIndex<DealFilter>): ServiceError {
  const { state, city } = filter;
  if (state !== undefined && !hasRecordOf(index, { state }))
    return new ServiceError(
      'outside_coverage',
      `No source of deals reads ${state.toUpperCase()}. GET /api/deals/ids lists every state and city, free. Nothing was billed.`,
    );
  const cityHint =
    city === undefined || hasRecordOf(index, { city })
      ? ''
      : ' No deal is in this city; GET /api/deals/ids lists every city, free.';
  return new ServiceError(
    'no_records_match',
    `No active deal matches all filters.${cityHint}${boundsHint(filter)} Nothing was billed.`,
  );
}

function boundsHint(filter: DealFilter): string {
  const above = (low: number | undefined, high: number | undefined) =>
    low !== undefined && high !== undefined && low > high;
  if (above(filter.minPriceCents, filter.maxPriceCents)) return ' min_price is above max_price.';
  if (above(filter.minUnits, filter.maxUnits)) return ' min_units is above max_units.';
  return '';
}
