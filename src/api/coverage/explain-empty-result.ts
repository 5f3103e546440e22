import { ServiceError, type Reason } from '../../errors.js';
import type { Place } from '../../places/metros/place.js';
import type { SoldFeeds } from '../../records/feeds/sold-feeds.js';
import { countyLabel } from '../../places/metros/county-label.js';
import type { CountyName } from '../../places/metros/counties.js';
import { countiesOf, nearestCounty, shortLabel } from './counties-of-place.js';
import { coverageOf, readCounties, type PlaceCoverage } from './coverage-of.js';
import { isPlace, placeIn } from './place-in.js';
import { allCovered, type Covered, type CoverageTable } from './coverage-table.js';

/** A feed whose filter matched nothing. */
export interface EmptyFeed<Filter> {
  readonly name: string;
  /** The first record on offer that matches. */
  first(filter: Filter): unknown;
}

/** The error for an empty result: the place is not covered, not yet read, or has no match. Never billed. */
export type ExplainEmptyResult = <Filter extends PlaceFilter>(
  feed: EmptyFeed<Filter>,
  filter: Filter,
  detail: string,
  reason?: Reason,
) => Promise<ServiceError>;

/** The parts of a filter that name a place and a kind of leads. */
export interface PlaceFilter extends Place {
  readonly leadType?: string;
}

type FeedName = keyof SoldFeeds;

export interface CoveragePorts {
  readonly readTable: () => Promise<CoverageTable>;
  /** Seconds until a retry for the feed makes sense. */
  readonly retryAfterSeconds: (feed: FeedName) => number;
}

/** Creates the explanation of empty results from the coverage of the feed's sources. */
export function createExplainEmptyResult({ readTable, retryAfterSeconds }: CoveragePorts): ExplainEmptyResult {
  return async (feed, filter, detail, reason = 'no_records_match') => {
    const table = await readTable();
    const { name, covered, place, coverage } = coverageOfFilter(feed, filter, table);
    // Without a place, `api/unpublished.ts` has already answered 503 until the first publication.
    if (coverage.status === 'pending' && isPlace(place))
      return notYetRead(capital(nameOfCovered(covered)), retryAfterSeconds(name));
    if (coverage.status === 'none' && isPlace(place)) return outside(covered, place, coverage, table);
    const { read, notRead } = coverage;
    if (!isPlace(place) || read.length === 0 || notRead.length === 0)
      return new ServiceError(reason, `${detail} Nothing was billed.`);
    const where = Object.keys(placeIn(filter)).join() === 'state' ? place.state?.join(', ') : 'this place';
    const part = `${read.length} of the ${read.length + notRead.length} counties of ${where} are read.`;
    return new ServiceError(reason, `${detail} ${part} Nothing was billed.`, listed(read, notRead));
  };
}

/** How the place of a filter is covered: by the feed, or by the type of leads that is asked for. */
export function coverageOfFilter<Filter extends PlaceFilter>(
  feed: EmptyFeed<Filter>,
  filter: Filter,
  table: CoverageTable,
) {
  // The names of the feeds that are sold.
  const name = feed.name as FeedName;
  const { leadType } = filter;
  const covered = allCovered.find((each) => each === leadType) ?? name;
  const place = placeOf(filter);
  return { name, covered, place, coverage: coverageOf(covered, place, table, hasRecordOf(feed, filter)) };
}

/** The error for a place whose records have not been read yet. */
export function notYetRead(records: string, retryAfterSeconds: number): ServiceError {
  const message = `${records} of this place have not been read yet.`;
  return new ServiceError('not_yet_published', message, { retryAfterSeconds });
}

/** The place that a filter names. */
function placeOf(filter: PlaceFilter): Place {
  const { state, ...place } = placeIn(filter);
  return state === undefined ? place : { ...place, state: state.map((code) => code.toUpperCase()) };
}

function hasRecordOf<Filter extends PlaceFilter>(feed: EmptyFeed<Filter>, filter: Filter): boolean {
  const { leadType } = filter;
  const place = { ...placeIn(filter), ...(leadType !== undefined && { leadType }) };
  // Each part of a filter is optional.
  return feed.first(place as unknown as Filter) !== undefined;
}

/** Counties that are named at most. */
export const mostNames = 10;

/** The member of the error's body with the names of counties. */
function listed(read: readonly CountyName[], notRead: readonly CountyName[]) {
  const names = (counties: readonly CountyName[]) => counties.slice(0, mostNames).map(shortLabel);
  return { members: { coverage: { read: names(read), not_read: names(notRead) } } };
}

function outside(covered: Covered, place: Place, { notRead }: PlaceCoverage, table: CoverageTable): ServiceError {
  const kind = nameOfCovered(covered);
  const read = readCounties(covered, table, [...new Set(notRead.map(({ state }) => state))]);
  return new ServiceError(
    'outside_coverage',
    `No source of ${kind} reads ${nameOf(place)}. ${capital(kind)} are read in: ${listByState(read)}. Nothing was billed.`,
    { ...listed(read, notRead), next: [{ title: `Which counties are read for ${kind}`, url: '/api/coverage' }] },
  );
}

function nameOfCovered(covered: Covered): string {
  return ['deals', 'signals', 'auctions', 'leads'].includes(covered) ? covered : `${covered} leads`;
}

function nameOf(place: Place): string {
  const [only, ...others] = countiesOf(place);
  if (only === undefined) {
    if (place.county === undefined) return 'it: no US county lies there';
    const nearest = nearestCounty(place);
    return `it: no US county has this name${nearest === undefined ? '' : ` (did you mean ${nearest}?)`}`;
  }
  if (others.length === 0) return countyLabel(only.countyFips, only.state);
  if (place.county !== undefined) return 'any county of this name';
  return Object.keys(placeIn(place)).join() === 'state'
    ? (place.state?.join(' or ') ?? '')
    : 'any county of this place';
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
