import { distance } from 'fastest-levenshtein';
import { foldPlace, type FeedIndex } from '../../feeds/query/feed-kind.js';
import { createCountyMatch } from '../../feeds/query/place-match.js';
import { countyLabel } from '../../places/metros/county-label.js';
import { countyNames, type CountyName } from '../../places/metros/counties.js';
import type { DeclaredCounty } from '../../sources/declared-county-reader.js';
import type { DeliveryKind } from '../../sources/source.js';

/** A feed with coverage by county. */
export type CountyFeed = 'signals' | 'auctions' | 'leads';

export interface AskedPlace {
  /** Two-letter code, case-insensitive. */
  readonly state?: string | undefined;
  /** Part of the county label. */
  readonly county?: string | undefined;
}

export interface CoverageQuestion {
  readonly feed: CountyFeed;
  /** Limits leads to one type, which derives from one feed. */
  readonly leadType?: string | undefined;
  readonly place: AskedPlace;
  /** True when the place has a published record of the feed and the type. */
  readonly hasRecord: boolean;
}

/** The coverage of a place by the sources of a feed. */
export interface Coverage {
  readonly status: 'full' | 'partial' | 'none' | 'pending';
  /** The number of counties asked for, and how many of them have been read. */
  readonly asked: number;
  readonly read: number;
}

const counties = countyNames.map((each) => ({ ...each, label: foldPlace(countyLabel(each.countyFips, each.state)) }));

/**
 * The coverage of a place: its counties that sources of the feed declare and have read. A place with a published record
 * is at least partially covered. A question without a place asks for every declared county.
 */
export function coverageOf(question: CoverageQuestion, declared: readonly DeclaredCounty[]): Coverage {
  const { place, hasRecord } = question;
  const own = declaredBy(question, declared);
  const read = new Set(own.filter(({ isPublished }) => isPublished).map(({ countyFips }) => countyFips));
  const known = new Set(own.map(({ countyFips }) => countyFips));
  const asked = countiesOf(place).filter(({ countyFips }) => isPlace(place) || known.has(countyFips));
  const readCount = asked.filter(({ countyFips }) => read.has(countyFips)).length;
  const counts = { asked: asked.length, read: readCount };
  if (readCount > 0) return { status: readCount === asked.length ? 'full' : 'partial', ...counts };
  if (hasRecord) return { status: 'partial', ...counts };
  return { status: asked.some(({ countyFips }) => known.has(countyFips)) ? 'pending' : 'none', ...counts };
}

/** True when the question names a place. */
export function isPlace({ state, county }: AskedPlace): boolean {
  return state !== undefined || county !== undefined;
}

/** True when a feed's index has a record of a place. */
export function hasRecordOf<Filter>(index: Pick<FeedIndex<Filter>, 'match'>, place: Filter): boolean {
  return index.match(place).some((word) => word !== 0);
}

/** The counties of a question; empty when no US county has the name. */
export function countiesOf({ state, county }: AskedPlace): readonly CountyName[] {
  const isNamed = county === undefined ? () => true : createCountyMatch(county);
  const code = state?.toUpperCase();
  return counties.filter((each) => (code === undefined || each.state === code) && isNamed(each.label));
}

/** The counties declared by the sources of the question's feed. */
export function declaredFor(question: CoverageQuestion, declared: readonly DeclaredCounty[]): readonly CountyName[] {
  const own = new Set(declaredBy(question, declared).map(({ countyFips }) => countyFips));
  return counties.filter(({ countyFips }) => own.has(countyFips));
}

/** The label of the county with the most similar name; undefined when no name is similar. */
export function nearestCounty({ state, county = '' }: AskedPlace): string | undefined {
  const text = foldPlace(county.replace(/\bcounty\b/i, '').replace(/,.*$/, ''));
  const [nearest] = countiesOf({ state })
    .map((each) => ({ ...each, far: distance(text, foldPlace(each.name)) }))
    .filter(({ far }) => far <= Math.max(1, Math.floor(text.length / 4)))
    .sort((one, other) => one.far - other.far);
  return nearest && countyLabel(nearest.countyFips, nearest.state);
}

function declaredBy(question: CoverageQuestion, declared: readonly DeclaredCounty[]): readonly DeclaredCounty[] {
  const kinds = madeOf(question);
  return declared.filter(({ delivers }) => kinds.includes(delivers));
}

/** Leads derive from county records; a listing becomes a lead through a county record too. */
function madeOf({ feed, leadType }: CoverageQuestion): readonly DeliveryKind[] {
  if (feed !== 'leads') return [feed];
  if (leadType === 'sheriff_sale_auction') return ['auctions'];
  if (leadType === 'tax_delinquent_owner') return ['signals'];
  return ['signals', 'auctions'];
}
