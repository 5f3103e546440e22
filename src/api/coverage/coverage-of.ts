import { countyNames, type CountyName } from '../../places/metros/counties.js';
import type { Place } from '../../places/metros/place.js';
import { countiesOf } from './counties-of-place.js';
import type { Covered, CoverageTable } from './coverage-table.js';

export interface PlaceCoverage {
  readonly status: 'full' | 'partial' | 'none' | 'pending';
  /** Its counties with a reading, and those without. */
  readonly read: readonly CountyName[];
  readonly notRead: readonly CountyName[];
}

/**
 * Coverage of a place in one feed. For the whole country, only declared counties count. A place with a published record
 * counts as read, even if the record's county is unknown.
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
