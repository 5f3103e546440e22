import type { CoveredCounty, FeedCoverage } from '../../../generated/types.gen.js';
import { findCountyName } from '../../places/metros/counties.js';
import { shortenCounty } from '../../places/metros/county-label.js';
import { findMetroByCounty, slugOf } from '../../places/metros/metros.js';
import { placeFromQuery } from '../data/place-from-query.js';
import type { Handler } from '../handler.js';
import { countiesOf } from './counties-of-place.js';
import type { CountyCoverage, CountyRow, Covered, CoverageTable } from './coverage-table.js';

/** GET /api/coverage: the counties that the sources of each feed declare. */
export function createGetCoverage(readTable: () => Promise<CoverageTable>, now: () => Date): Handler<'getCoverage'> {
  return async ({ query: { feed, state, county } }) => {
    const table = await readTable();
    const place = {
      ...(state !== undefined && placeFromQuery.state(state)),
      ...(county !== undefined && placeFromQuery.county(county)),
    };
    const counties = countiesOf(place).flatMap(({ countyFips, state: code }) => {
      const row = table.get(countyFips);
      const feeds = row && feedsToWire(row, feed);
      return feeds === undefined || Object.keys(feeds).length === 0 ? [] : countyToWire(countyFips, code, feeds);
    });
    const read = [...table.values()].flatMap((row) => Object.values(row).flatMap(({ asOf }) => asOf?.getTime() ?? []));
    // Not the moment of the request: the same ETag names the same bytes, on every instance.
    const latest = Math.max(new Date(now()).setUTCHours(0, 0, 0, 0), ...read);
    return { status: 200, body: { generated_at: new Date(latest).toISOString(), counties } };
  };
}

function countyToWire(fips: string, state: string, feeds: CoveredCounty['feeds']): CoveredCounty {
  const metro = findMetroByCounty(fips);
  const county = shortenCounty(findCountyName(fips) ?? fips, state);
  return { state, county, fips, ...(metro && { metro: slugOf(metro) }), feeds };
}

const ownFeeds = ['deals', 'signals', 'auctions'] as const;
const leadTypes = ['sheriff_sale_auction', 'tax_delinquent_owner', 'motivated_listing'] as const;

/** Those of one feed, where one is asked for. */
function feedsToWire(row: CountyRow, only: keyof CoveredCounty['feeds'] | undefined): CoveredCounty['feeds'] {
  const feeds = ownFeeds.filter((name) => only === undefined || name === only);
  const hasLeads = row.leads !== undefined && (only === undefined || only === 'leads');
  return { ...toWireOf(row, feeds), ...(hasLeads && { leads: toWireOf(row, leadTypes) }) };
}

function toWireOf<Name extends Covered>(row: CountyRow, names: readonly Name[]): Partial<Record<Name, FeedCoverage>> {
  const entries = names.flatMap((name) => {
    const coverage = row[name];
    return coverage === undefined ? [] : [[name, toWire(coverage)]];
  });
  return Object.fromEntries(entries) as Partial<Record<Name, FeedCoverage>>;
}

function toWire({ status, asOf, sources }: CountyCoverage): FeedCoverage {
  const absent = asOf === undefined ? { as_of: { reason: 'not_yet_observed' } as const } : {};
  return { status, as_of: asOf?.toISOString() ?? null, sources: [...sources], absent };
}
