import { countyNames, type CountyName } from '../../places/metros/counties.js';
import type { Place } from '../../places/metros/place.js';
import { countiesOf } from './counties-of-place.js';
import type { Covered, CoverageTable } from './coverage-table.js';

/** How a place is covered. */
export interface PlaceCoverage {
  readonly status: 'full' | 'partial' | 'none' | 'pending';
  /** The counties of the place that are read, and those that are not. */
  readonly read: readonly CountyName[];
  readonly notRead: readonly CountyName[];
}

/**
 * How a place is covered by the sources of a feed; of any place in the country: how the declared counties are. A place
 * with a published record counts as read, though it is not known in which of its counties that is.
 */
export function coverageOf(feed: Covered, place: Place, table: CoverageTable, hasRecord: boolean): PlaceCoverage {
  const statusOf = ({ countyFips }: CountyName) => table.get(countyFips)?.[feed]?.status;
  const meant = countiesOf(place);
  const isAnywhere = meant.length === countyNames.length;
  const asked = meant.filter((county) => !isAnywhere || statusOf(county) !== undefined);
  const isRead = (county: CountyName) => ['read', 'late'].includes(statusOf(county) ?? '');
  const [read, notRead] = [asked.filter(isRead), asked.filter((county) => !isRead(county))];
  if (read.length > 0) return { status: notRead.length === 0 ? 'full' : 'partial', read, notRead };
  if (hasRecord && asked.length === 1) return { status: 'full', read: asked, notRead: [] };
  if (hasRecord) return { status: 'partial', read, notRead };
  return { status: asked.some((county) => statusOf(county) !== undefined) ? 'pending' : 'none', read, notRead };
}

/** The counties in which a feed is read, those of some states first. */
export function readCounties(
  feed: Covered,
  table: CoverageTable,
  first: readonly string[] = [],
): readonly CountyName[] {
  const { read } = coverageOf(feed, {}, table, false);
  return [...read.filter(({ state }) => first.includes(state)), ...read.filter(({ state }) => !first.includes(state))];
}

const parts = ['state', 'city', 'county', 'countyFips', 'zip', 'metro', 'near'] as const;

/** True when a place has any part. */
export function isPlace(place: Place): boolean {
  return parts.some((part) => place[part] !== undefined);
}

/** The part of a filter that names a place. */
export function placeIn<Filter extends object>(filter: Filter): Pick<Filter, keyof Filter & keyof Place> {
  const names: readonly string[] = parts;
  return Object.fromEntries(Object.entries(filter).filter(([name]) => names.includes(name))) as typeof filter;
}
