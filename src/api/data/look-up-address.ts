import type { Lookup, LookupMatch, MatchedOn } from '../../../generated/types.gen.js';
import { isEvidence, matchVersion, type MatchType } from '../../places/addresses/match-types.js';
import { normalizeAddress } from '../../places/addresses/normalize.js';
import { isNormalizedAddress, type NormalizedAddress } from '../../places/addresses/normalized-address.js';
import { renderAddress } from '../../places/addresses/render-address.js';
import { ServiceError, type ParameterFault } from '../../errors.js';
import { countyLabel, labelOfCounty } from '../../places/metros/county-label.js';
import { findCountyOfZip } from '../../places/metros/zip-counties.js';
import { answeredByAll } from './answers.js';
import { coverageOf, type PlaceCoverage } from '../coverage/coverage-of.js';
import { notYetRead, type CoveragePorts } from '../coverage/explain-empty-result.js';
import { findAtAddress, type Found, type ReadAt } from './find-at-address.js';
import type { Handler } from '../handler.js';
import type { SoldFeeds } from '../../records/feeds/sold-feeds.js';

export interface LookupPorts {
  readonly feeds: SoldFeeds;
  readonly readAt: ReadAt;
  readonly coverage: CoveragePorts;
}

/** GET /api/lookup: the records of one address, in all feeds. */
export function createLookUpAddress(ports: LookupPorts): Handler<'lookUpAddress'> {
  const { feeds, readAt } = ports;
  return async ({ query }) => {
    const address = readAddress(query.address);
    const { found, versions } = await findAtAddress(address, readAt);
    const matches = showAll(found.filter(({ match }) => isEvidence(match)));
    const possible = showAll(found.filter(({ match }) => !isEvidence(match)));
    const county = countyOfAddress(address, matches);
    const status = matches.length > 0 ? 'full' : await readCoverage(address, county, ports);
    if (found.length === 0) throw noMatch(status, county, ports);
    return {
      status: 200,
      body: {
        query: query.address,
        normalized: renderAddress(address),
        rule_version: matchVersion,
        matches: matches.slice(0, mostShown),
        possible_matches: possible.slice(0, mostShown),
        coverage: showCoverage(status, county),
      },
      feed: answeredByAll(feeds, versions),
    };
  };
}

/** The fault of an address that fits the schema but cannot be parsed, so that nobody signs a payment for it. */
export function findAddressFault(text: unknown): ParameterFault | undefined {
  const address = normalizeAddress(String(text));
  return isNormalizedAddress(address) ? undefined : addressFault(address.message);
}

function addressFault(detail: string): ParameterFault {
  return { parameter: 'address', in: 'query', reason: 'address_not_parsed', detail };
}

const mostShown = 200;
const lookedIn = ['deals', 'signals', 'auctions'] as const;

const matchedOn: Readonly<Record<MatchType, MatchedOn>> = {
  parcel_exact: ['parcel'],
  exact_normalized: ['house_number', 'street', 'zip'],
  exact_unit: ['house_number', 'street', 'unit', 'zip'],
  exact_no_zip: ['house_number', 'street', 'city'],
  range_equal: ['number_range', 'street', 'city'],
  range_contains: ['number_range', 'street'],
  building_level: ['house_number', 'street'],
  suffix_missing: ['house_number', 'street', 'zip'],
  street_alias: ['house_number', 'street'],
  fuzzy_trigram: ['house_number', 'zip'],
  review_suffix_conflict: ['house_number', 'street'],
  review_postdir: ['house_number', 'street'],
  review_predir: ['house_number', 'street'],
  review_unit: ['house_number', 'street'],
  review_subdivision: ['house_number', 'street'],
  review_city_conflict: ['house_number', 'street', 'zip'],
  several_properties: ['house_number', 'street'],
};

function readAddress(text: string): NormalizedAddress {
  const address = normalizeAddress(text);
  if (isNormalizedAddress(address)) return address;
  const faults = [addressFault(address.message)];
  throw new ServiceError('address_not_parsed', `${address.message} Nothing was billed.`, { faults });
}

function showAll(found: readonly Found[]): LookupMatch[] {
  return found.map(show).sort(compareFound);
}

function show({ located: { entity, record }, match: { matchType, confidence } }: Found): LookupMatch {
  const on = [...matchedOn[matchType]];
  // Entity and record come from the same feed, so they are of one kind. The contract's proof checks it.
  return { entity, id: record.id, match_type: matchType, confidence, matched_on: on, record } as LookupMatch;
}

function compareFound(one: LookupMatch, other: LookupMatch): number {
  if (one.confidence !== other.confidence) return one.confidence > other.confidence ? -1 : 1;
  if (one.entity !== other.entity) return entityOrder.indexOf(one.entity) - entityOrder.indexOf(other.entity);
  return one.id < other.id ? -1 : 1;
}

const entityOrder: readonly LookupMatch['entity'][] = ['deal', 'signal', 'auction'];

/** Label of the ZIP's county, else of the county named by all evidence. */
function countyOfAddress({ zip5, state }: NormalizedAddress, evidence: readonly LookupMatch[]): string | undefined {
  const countyFips = findCountyOfZip(zip5);
  if (countyFips !== undefined) return countyLabel(countyFips, state);
  const [named, ...others] = new Set(evidence.flatMap((each) => countyOf(each) ?? []));
  return others.length === 0 ? named : undefined;
}

function countyOf(found: LookupMatch): string | undefined {
  const { county, state } = found.record;
  if (county === null) return undefined;
  return found.entity === 'deal' ? labelOfCounty(county, state) : county;
}

/**
 * Coverage of a place in any feed. With an unknown county, the coverage of its city or state counts, so that "not
 * covered" is never a guess.
 */
async function readCoverage(
  { city, state }: NormalizedAddress,
  county: string | undefined,
  { feeds, coverage }: LookupPorts,
): Promise<PlaceCoverage['status']> {
  const table = await coverage.readTable();
  const place = { state: [state], ...(county === undefined ? { city } : { county }) };
  // A deal states city and state, a county record its county.
  const hasRecord = {
    deals: feeds.deals.first(county === undefined ? { state: [state] } : { state: [state], city }) !== undefined,
    signals: county !== undefined && feeds.signals.first({ county }) !== undefined,
    auctions: county !== undefined && feeds.auctions.first({ county }) !== undefined,
  };
  const statuses = lookedIn.map((feed) => coverageOf(feed, place, table, hasRecord[feed]).status);
  return (['full', 'partial', 'pending'] as const).find((status) => statuses.includes(status)) ?? 'none';
}

function showCoverage(status: PlaceCoverage['status'], county: string | undefined): Lookup['coverage'] {
  const covered = status === 'full' || status === 'partial';
  if (county === undefined) return { county: null, covered, absent: { county: { reason: 'insufficient_inputs' } } };
  return { county, covered, absent: {} };
}

function noMatch(status: PlaceCoverage['status'], county: string | undefined, { coverage }: LookupPorts): ServiceError {
  if (status === 'pending') return notYetRead('The records', Math.min(...lookedIn.map(coverage.retryAfterSeconds)));
  if (status === 'none')
    return new ServiceError(
      'outside_coverage',
      `No source reads ${county ?? 'the state of this address'}. Nothing was billed.`,
    );
  return new ServiceError('no_match', 'No deal, signal or auction matches this address. Nothing was billed.');
}
